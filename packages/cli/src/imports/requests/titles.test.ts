import { assemble } from "@thoughtflow/assemble";
import { expect, test } from "vitest";
import { recordsOfText } from "../../../testing/imported-records.ts";
import { REQUEST_LOGS } from "../../../testing/request-logs.ts";

const NOTE = "<environment_context>\n<cwd>/project</cwd>\n</environment_context>\n";

test.each(REQUEST_LOGS)(
  "%s: a session, and a run, is called after what was typed, not after the notes before it",
  async (_, format, lineOf) => {
    const said = [`${NOTE}Is it raining in Rome?`];
    const request = { from: 0, to: 1, system: "main", said, answer: { text: "No." } };
    const { records } = await recordsOfText(format, `${JSON.stringify(lineOf(request, 0))}\n`);
    const sessions = assemble(records);
    expect(sessions.map(({ title }) => title)).toEqual(["Is it raining in Rome?"]);
    // So is each run.
    expect(sessions.flatMap(({ conversations }) => conversations.map(({ name }) => name))).toEqual([
      "Is it raining in Rome?",
    ]);
  },
);
