import { createIdTable } from "@thoughtflow/assemble";
import { createPackedSteps } from "../packed-steps.ts";
import type { RecordStep } from "../record-step.ts";

/** The calls that were told, by the ids of their messages, in some 60 bytes of memory each. */
export interface ToldCalls {
  has(messageId: string): boolean;
  /** The run or agent that it belongs to; `undefined` where that was not said. */
  homeOf(messageId: string): RecordStep | undefined;
  add(messageId: string, home: RecordStep | undefined): void;
  clear(): void;
}

export function createToldCalls(): ToldCalls {
  let numbers = createIdTable();
  let homes = createPackedSteps();
  let count = 0;
  return {
    has: (messageId) => numbers.get(messageId) !== undefined,
    homeOf(messageId) {
      const number = numbers.get(messageId);
      return number === undefined ? undefined : homes.get(number);
    },
    add(messageId, home) {
      numbers.set(messageId, count);
      if (home !== undefined) homes.set(count, home);
      count++;
    },
    clear() {
      numbers = createIdTable();
      homes = createPackedSteps();
      count = 0;
    },
  };
}
