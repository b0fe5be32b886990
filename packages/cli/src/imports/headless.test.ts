import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { assemble } from "@thoughtflow/assemble";
import { checkSession, type Session } from "@thoughtflow/schema";
import { describe, expect, test } from "vitest";
import { followedRecords } from "../../testing/followed-records.ts";
import { recordsOf, recordsOfText } from "../../testing/imported-records.ts";
import type { ImportFormat } from "./import-format.ts";
import { IMPORT_FORMATS } from "./index.ts";
import { filesBelow, sourceFile } from "./source-file.ts";

/** What the provider was asked, and what it answered by its script. */
interface Answered {
  readonly script: string;
  readonly input?: number;
  readonly output?: number;
  /** Gemini counts thoughts beside what was said. */
  readonly thoughts?: number;
  /** The names of the tools that it asked for. */
  readonly tools?: readonly string[];
}

/** What is to be seen of a session of which a program printed what it did. */
interface Shape {
  /** Of each run its status and its calls of the model. */
  readonly runs: readonly string[];
  readonly agents: readonly string[];
  readonly errors: number;
  /** The scripts of which the program tells all tokens. */
  readonly tokensOf: readonly string[];
  /** Those of which it tells all calls of tools. */
  readonly toolsOf: readonly string[];
}

const PRINTED: Readonly<Record<string, readonly Shape[]>> = {
  codex: [
    {
      runs: ["completed 1", "completed 2"],
      agents: ["Codex"],
      errors: 0,
      tokensOf: ["plain", "again"],
      toolsOf: ["plain", "again"],
    },
    // The provider was asked five times: see the page of imports.
    {
      runs: ["completed 7"],
      agents: ["Codex"],
      errors: 2,
      tokensOf: ["tools"],
      toolsOf: ["tools"],
    },
    {
      runs: ["completed 7"],
      agents: ["Codex", "sub-agent < Codex", "sub-agent < Codex"],
      errors: 0,
      tokensOf: ["agents"],
      toolsOf: ["agents"],
    },
    { runs: ["error 2"], agents: ["Codex"], errors: 1, tokensOf: [], toolsOf: ["fails"] },
    { runs: ["abandoned 1"], agents: ["Codex"], errors: 0, tokensOf: [], toolsOf: ["killed"] },
  ],
  // It tells no tokens, and its session at the end alone: the killed process is a session of its own.
  "copilot-cli": [
    {
      runs: ["completed 1", "completed 1"],
      agents: ["GitHub Copilot"],
      errors: 0,
      tokensOf: [],
      toolsOf: ["plain", "again"],
    },
    {
      runs: ["completed 3"],
      agents: ["GitHub Copilot"],
      errors: 1,
      tokensOf: [],
      toolsOf: ["tools"],
    },
    {
      runs: ["completed 5"],
      agents: ["GitHub Copilot", "explore < GitHub Copilot", "explore < GitHub Copilot"],
      errors: 0,
      tokensOf: [],
      toolsOf: ["agents", "child"],
    },
    { runs: ["error 1"], agents: ["GitHub Copilot"], errors: 1, tokensOf: [], toolsOf: ["fails"] },
    {
      runs: ["abandoned 1"],
      agents: ["GitHub Copilot"],
      errors: 0,
      tokensOf: [],
      toolsOf: ["killed"],
    },
  ],
  "gemini-cli": [
    {
      runs: ["completed 1"],
      agents: ["Gemini CLI"],
      errors: 0,
      tokensOf: ["answer"],
      toolsOf: ["answer"],
    },
    {
      runs: ["completed 1", "completed 1"],
      agents: ["Gemini CLI"],
      errors: 0,
      tokensOf: ["plain", "again"],
      toolsOf: ["plain", "again"],
    },
    // What it prints of the tokens holds those of its sub-agents.
    {
      runs: ["completed 2"],
      agents: ["Gemini CLI"],
      errors: 0,
      tokensOf: ["agents", "child-a"],
      toolsOf: ["agents"],
    },
    { runs: ["abandoned 1"], agents: ["Gemini CLI"], errors: 0, tokensOf: [], toolsOf: ["killed"] },
    {
      runs: ["completed 3"],
      agents: ["Gemini CLI"],
      errors: 1,
      tokensOf: ["tools"],
      toolsOf: ["tools"],
    },
    {
      runs: ["error 2"],
      agents: ["Gemini CLI"],
      errors: 1,
      tokensOf: ["fails"],
      toolsOf: ["fails"],
    },
  ],
  opencode: [
    { runs: ["abandoned 1"], agents: ["opencode"], errors: 0, tokensOf: [], toolsOf: [] },
    { runs: ["error 2"], agents: ["opencode"], errors: 1, tokensOf: ["fails"], toolsOf: ["fails"] },
    // Of sub-agents nothing is printed.
    {
      runs: ["completed 2"],
      agents: ["opencode"],
      errors: 0,
      tokensOf: ["agents"],
      toolsOf: ["agents"],
    },
    {
      runs: ["completed 4"],
      agents: ["opencode"],
      errors: 4,
      tokensOf: ["tools"],
      toolsOf: ["tools"],
    },
    {
      runs: ["completed 1", "completed 2"],
      agents: ["opencode"],
      errors: 0,
      tokensOf: ["plain", "again"],
      toolsOf: ["plain", "again"],
    },
  ],
  pi: [
    {
      runs: ["completed 1", "completed 1"],
      agents: ["Pi"],
      errors: 0,
      tokensOf: ["plain", "again"],
      toolsOf: ["plain", "again"],
    },
    { runs: ["completed 3"], agents: ["Pi"], errors: 1, tokensOf: ["tools"], toolsOf: ["tools"] },
    { runs: ["error 2"], agents: ["Pi"], errors: 1, tokensOf: ["fails"], toolsOf: ["fails"] },
    {
      runs: ["abandoned 1"],
      agents: ["Pi"],
      errors: 0,
      tokensOf: ["killed"],
      toolsOf: ["killed"],
    },
  ],
};

/** So many lines tell that somebody asked, whatever the program prints first. */
const FIRST = 5;

const directoryOf = (format: string) =>
  fileURLToPath(new URL(`../../fixtures/${format}-headless/`, import.meta.url));

function answersOf(format: string): readonly Answered[] {
  const lines = readFileSync(`${directoryOf(format)}provider.jsonl`, "utf8")
    .trim()
    .split("\n");
  return lines.map((line) => JSON.parse(line));
}

async function sessionsOf(format: string): Promise<readonly Session[]> {
  const dir = directoryOf(format);
  const paths = await filesBelow(dir, (path) => !path.endsWith("provider.jsonl"));
  const files = paths.map((path) => sourceFile(path, path.slice(dir.length)));
  const { records } = await recordsOf(IMPORT_FORMATS[format] as ImportFormat, files);
  return assemble(records).toSorted((a, b) => (a.session_id < b.session_id ? -1 : 1));
}

/** A session as it came out. */
interface Seen extends Pick<Shape, "runs" | "agents" | "errors"> {
  readonly input: number;
  readonly output: number;
  /** Calls of tools. */
  readonly tools: number;
}

function shapeOf({ conversations, agents = [], totals }: Session): Seen {
  const nameOf = (id: string | undefined) =>
    agents.find((one) => one.agent_id === id)?.name ?? "agent";
  const tools = conversations
    .flatMap(({ steps }) => steps)
    // Those that the provider ran itself are no calls that it asked for.
    .filter(({ label, step_id: id }) => label === "tool_call" && !/\.p\d+$/.test(id));
  return {
    runs: conversations.map(
      ({ status, steps }) =>
        `${status} ${steps.filter(({ label }) => label === "assistant_call").length}`,
    ),
    agents: agents.map(({ agent_id: id, parent_agent_id: parent }) =>
      parent === undefined ? nameOf(id) : `${nameOf(id)} < ${nameOf(parent)}`,
    ),
    errors: totals?.errors ?? 0,
    input: totals?.input_tokens ?? 0,
    output: totals?.output_tokens ?? 0,
    tools: tools.length,
  };
}

function expectedOf({ tokensOf, toolsOf, ...shape }: Shape, answers: readonly Answered[]): Seen {
  const sum = (scripts: readonly string[], count: (answer: Answered) => number) =>
    answers
      .filter(({ script }) => scripts.includes(script))
      .reduce((total, answer) => total + count(answer), 0);
  return {
    ...shape,
    input: sum(tokensOf, ({ input = 0 }) => input),
    output: sum(tokensOf, ({ output = 0, thoughts = 0 }) => output + thoughts),
    tools: sum(toolsOf, ({ tools = [] }) => tools.length),
  };
}

describe.each(Object.entries(PRINTED))("what %s printed", (format, shapes) => {
  test("gives the tokens, the tool calls, the runs and the agents that its provider saw", async () => {
    const sessions = await sessionsOf(format);
    expect(sessions.flatMap((session) => checkSession(session))).toEqual([]);
    const answers = answersOf(format);
    expect(sessions.map(shapeOf)).toEqual(shapes.map((shape) => expectedOf(shape, answers)));
  });

  test("is abandoned wherever it was cut off, with nothing open or something", async () => {
    const lines = readFileSync(`${directoryOf(format)}tools.jsonl`, "utf8")
      .trim()
      .split("\n");
    const statuses = [];
    for (let count = FIRST; count <= lines.length; count++) {
      const text = `${lines.slice(0, count).join("\n")}\n`;
      const { records } = await recordsOfText(IMPORT_FORMATS[format] as ImportFormat, text);
      statuses.push(assemble(records)[0]?.conversations.map(({ status }) => status));
    }
    expect(statuses).toEqual([...statuses.slice(1).map(() => ["abandoned"]), ["completed"]]);
  });

  const streams = readdirSync(directoryOf(format)).filter(
    (name) => name.endsWith(".jsonl") && name !== "provider.jsonl",
  );

  test.each(streams)(
    "and is followed line by line comes to what all of it is: %s",
    async (name) => {
      const text = readFileSync(`${directoryOf(format)}${name}`, "utf8");
      const read = IMPORT_FORMATS[format] as ImportFormat;
      const [session] = assemble((await recordsOfText(read, text)).records);
      const followed = assemble(await followedRecords(read, text, "file"));
      // What was open at first is told once more at its end.
      expect(followed).toEqual([{ ...session, revision: followed[0]?.revision }]);
    },
  );
});
