import { readFileSync } from "node:fs";

/** What a provider on loopback answered Claude Code by its script. */
export interface ScriptedAnswer {
  readonly session: string;
  readonly id: string;
  readonly script: string;
  readonly usage: {
    readonly input: number;
    readonly read: number;
    readonly write: number;
    readonly output: number;
  };
  readonly tools: readonly (readonly [id: string, name: string])[];
  /** The sub-agent that was answered, and the tool call that asked for it. */
  readonly agent?: string;
  readonly asked?: string;
}

/** All that it answered with success, in order, as its log tells. */
export function scriptedAnswers(path: string): readonly ScriptedAnswer[] {
  return readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .filter(({ id }) => id !== undefined);
}
