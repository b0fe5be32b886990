import { hash } from "node:crypto";
import type { ImportFormat } from "../import-format.ts";
import { jsonLines } from "../json-lines.ts";
import { jsonOf } from "../json-of.ts";
import { createLossCounter } from "../loss-table.ts";
import { membersOf, type PlainObject, textOf } from "../plain-values.ts";
import { filesOfFormat } from "../recognise.ts";
import { OPENHANDS_LOSSES } from "./losses.ts";
import { isEventList, isInstance } from "./recognise.ts";
import { eventsOf } from "./records.ts";
import { sessionOfInstance } from "./session.ts";

/** Output of OpenHands: one session for each instance of an output.jsonl, or for a trajectory that was saved by itself. */
export const openhands: ImportFormat = {
  summary: "trajectories of OpenHands: an evaluation's output.jsonl, or a saved trajectory",
  tellsNewsOnly: true,
  what: "a trajectory of OpenHands",
  losses: OPENHANDS_LOSSES,
  recognise: (value) => isInstance(value) || isEventList(value),
  async *read(files, report) {
    const countLosses = createLossCounter(OPENHANDS_LOSSES, report);
    const instance = (record: PlainObject) => {
      countLosses(record);
      const told = eventsOf(record["history"] ?? record["trajectory"]).map(
        ({ id, ms, action, observation, content }) => [id, ms, action, observation, content],
      );
      const digest = hash("sha256", JSON.stringify(told)).slice(0, 8);
      const name = textOf(record["instance_id"]) ?? "openhands";
      return sessionOfInstance(record, `${name}_${digest}`, report);
    };
    for (const file of await filesOfFormat(files, openhands, report.lost)) {
      if (file.name.endsWith(".json")) {
        const value = jsonOf(await file.text());
        yield* instance(Array.isArray(value) ? { history: value } : membersOf(value));
        continue;
      }
      for await (const line of jsonLines(file)) {
        if ("problem" in line) report.lost(`line of an instance (${line.problem})`);
        else if (isInstance(line.record)) yield* instance(line.record);
        else report.lost("line that is no instance");
      }
    }
  },
};
