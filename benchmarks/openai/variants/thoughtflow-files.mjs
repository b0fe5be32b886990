import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { startThoughtFlow } from "@thoughtflow/node";
import { withSession } from "@thoughtflow/tracing";
import OpenAI from "openai";
import { inSpan } from "../tracing-provider.mjs";

/** Long enough for the records to be in the journal, too short for documents to be written. */
const untilInJournal = () => wait(150);

/** All that `register` sets up: files with content, derived runs, inferred sessions, secrets masked. */
export function start(options, { dir }) {
  const flow = startThoughtFlow({ dir, openai: OpenAI, otlp: false });
  const documents = () => readdirSync(dir).filter((name) => !name.startsWith("."));
  return {
    client: new OpenAI(options),
    settle: untilInJournal,
    write: flow.flush,
    inRun: inSpan,
    // Each call without a run is a session with three files of its own, which take a hundred times the call.
    share: 1 / 8,
    aside: (work) => withSession({ id: "aside" }, work),
    recorded: () =>
      documents()
        .filter((name) => name.endsWith(".json"))
        .map((name) => readFileSync(join(dir, name), "utf8"))
        .join("\n"),
    tidy() {
      for (const name of documents()) rmSync(join(dir, name), { recursive: true });
    },
  };
}
