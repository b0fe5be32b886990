import { basename } from "node:path";
import { createAgentSession } from "../conversation/agent-session.ts";
import type { ImportFormat } from "../import-format.ts";
import { jsonLines } from "../json-lines.ts";
import { createLossCounter } from "../loss-table.ts";
import { filesOfFormat } from "../recognise.ts";
import type { SourceFile } from "../source-file.ts";
import { PI_LOSSES } from "./losses.ts";
import { isPiEntry } from "./recognise.ts";
import { entryOf } from "./records.ts";
import { createPiSession } from "./session.ts";

/** Sessions of Pi, in all three versions of the format: one a file. */
export const pi: ImportFormat = {
  summary: "sessions of Pi: a .jsonl, or a directory of them",
  tellsNewsOnly: true,
  what: "a session of Pi",
  guessesEnds: true,
  losses: PI_LOSSES,
  takes: (name) => name.endsWith(".jsonl"),
  recognise: isPiEntry,
  async *read(files, report) {
    const countLosses = createLossCounter(PI_LOSSES, report);
    for (const file of await filesOfFormat(files, pi, report)) {
      const session = createAgentSession({
        source: "pi",
        sessionId: await sessionIdOf(file),
        agentName: "Pi",
        report,
      });
      const entries = createPiSession(session);
      for await (const line of jsonLines(file)) {
        const entry = "problem" in line ? undefined : entryOf(line.record, line.number);
        if ("problem" in line) session.unreadable(line);
        else if (entry === undefined) session.unreadable({ ...line, problem: "it has no type" });
        else {
          countLosses(entry.record);
          yield* entries.take(entry);
        }
      }
      yield* session.finish();
    }
  },
};

/** As the first line says, or the name of the file. */
async function sessionIdOf(file: SourceFile): Promise<string> {
  for await (const line of jsonLines(file)) {
    const { type, id } = "record" in line ? line.record : {};
    if (type === "session" && typeof id === "string") return id;
    break;
  }
  return basename(file.name).replace(/\.jsonl$/, "");
}
