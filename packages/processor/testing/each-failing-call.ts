import { readdirSync } from "node:fs";
import { join } from "node:path";
import { realFileSystem } from "@thoughtflow/journal";
import { type FailEachCallOptions, failEachCall } from "@thoughtflow/testkit";
import { expect } from "vitest";
import { flowOn, idsIn } from "./flow-on.ts";

const ids = ["a", "b", "c", "d"];

/**
 * Lets each call of a flow fail in its turn, journal, leases and documents alike, while its process works (`isEnding`
 * false) or while it ends; each time all steps must be in the file in the end.
 *
 * @returns how many calls there are
 */
export function eachFailingCall(
  dir: string,
  isEnding: boolean,
  options: FailEachCallOptions,
): Promise<number> {
  return failEachCall(realFileSystem, options, async ({ fs }, failing) => {
    const flow = flowOn(join(dir, `${options.code}-${isEnding}-${failing}`), { fs });
    for (const id of ids) {
      flow.step(id);
      if (id === "b" && !isEnding) await flow.writer.flush();
    }
    // What could not be written is tried again when the process ends.
    flow.writer.flushSync("process_exit");
    expect(idsIn(flow.session()).filter((id) => ids.includes(id))).toEqual(ids);
    expect(readdirSync(flow.place).filter((name) => name.endsWith(".lease"))).toEqual([]);
  });
}
