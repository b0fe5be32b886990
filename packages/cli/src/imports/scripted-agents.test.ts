import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { assemble } from "@thoughtflow/assemble";
import { checkSession, type Session } from "@thoughtflow/schema";
import { describe, expect, test } from "vitest";
import { recordsOf } from "../../testing/imported-records.ts";
import type { ImportFormat } from "./import-format.ts";
import { IMPORT_FORMATS } from "./index.ts";
import { filesBelow, sourceFile } from "./source-file.ts";

/** What the provider was asked, and what it answered by its script. */
interface Answered {
  readonly script: string;
  readonly input?: number;
  readonly output?: number;
  /** The names of the tools that it asked for. */
  readonly tools?: readonly string[];
  /** The status of an answer that was none. */
  readonly error?: number;
}

/** What a session must show: its main agent's runs, and its agents as "name < the one above". */
interface Shape {
  /** Calls of the model of each run. */
  readonly runs: readonly number[];
  readonly agents: readonly string[];
  readonly errors: number;
}

const AGENTS: Readonly<Record<string, readonly Shape[]>> = {
  "gemini-cli": [
    { runs: [1], agents: ["Gemini CLI"], errors: 0 },
    {
      runs: [9, 2],
      agents: ["Gemini CLI", "codebase_investigator < Gemini CLI", "generalist < Gemini CLI"],
      errors: 3,
    },
  ],
  "copilot-cli": [
    { runs: [3, 1], agents: ["GitHub Copilot"], errors: 1 },
    {
      runs: [5],
      agents: ["GitHub Copilot", "explore < GitHub Copilot", "explore < GitHub Copilot"],
      errors: 0,
    },
    { runs: [6], agents: ["GitHub Copilot", "explore < GitHub Copilot"], errors: 1 },
    { runs: [1], agents: ["GitHub Copilot"], errors: 1 },
    { runs: [1], agents: ["GitHub Copilot"], errors: 0 },
    // The calls that sum the history up are calls, too.
    { runs: [6, 2, 2], agents: ["GitHub Copilot"], errors: 2 },
  ],
  opencode: [
    { runs: [2], agents: ["opencode"], errors: 1 },
    { runs: [1], agents: ["opencode"], errors: 0 },
    {
      runs: [9, 2],
      agents: ["opencode", "general < opencode", "general < opencode", "general < opencode"],
      errors: 3,
    },
  ],
  "openai-log": [{ runs: [3, 1], agents: ["agent", "sub-agent < agent ?", "agent"], errors: 1 }],
  codex: [
    {
      runs: [16, 2],
      agents: ["Codex", "Dirac < Codex", "Boole < Codex", "Averroes < Codex"],
      errors: 2,
    },
    { runs: [2], agents: ["Codex"], errors: 1 },
    {
      runs: [9],
      agents: ["Codex", "Cicero < Codex", "Gauss < Codex", "Pascal < Codex"],
      errors: 1,
    },
  ],
};

function folderOf(format: string): string {
  return fileURLToPath(new URL(`../../fixtures/${format}-scripted/`, import.meta.url));
}

function answersOf(dir: string): readonly Answered[] {
  const lines = readFileSync(`${dir}provider.jsonl`, "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line));
}

async function sessionsOf(format: string, dir: string): Promise<readonly Session[]> {
  const paths = await filesBelow(dir, (path) => !path.endsWith("provider.jsonl"));
  const files = paths.map((path) => ({ ...sourceFile(path, path.slice(dir.length)), path }));
  const { records } = await recordsOf(IMPORT_FORMATS[format] as ImportFormat, files);
  return assemble(records).toSorted((a, b) => (a.session_id < b.session_id ? -1 : 1));
}

function shapeOf({ conversations, agents = [], totals }: Session): Shape {
  const nameOf = (id: string | undefined) => agents.find((one) => one.agent_id === id)?.name;
  return {
    runs: conversations.map(
      ({ steps }) => steps.filter(({ label }) => label === "assistant_call").length,
    ),
    agents: agents.map(({ name, parent_agent_id: parent, origin }) =>
      parent === undefined
        ? `${name}`
        : `${name} < ${nameOf(parent)}${origin === "observed" ? "" : " ?"}`,
    ),
    errors: totals?.errors ?? 0,
  };
}

const told = (answers: readonly Pick<Answered, "input" | "output" | "tools">[]) =>
  answers.map(({ input, output, tools = [] }) => `${input} ${output} ${tools}`).toSorted();

describe.each(Object.entries(AGENTS))("%s", (format, shapes) => {
  const dir = folderOf(format);

  test("the calls are those that the provider answered, each once, with their tokens and tools", async () => {
    const answers = answersOf(dir);
    const sessions = await sessionsOf(format, dir);
    const calls = sessions
      .flatMap(({ conversations }) => conversations.flatMap(({ steps }) => steps))
      .filter(({ label, usage }) => label === "assistant_call" && (usage?.input_tokens ?? 0) > 0)
      .map(({ usage, payload_completed: answer }) => ({
        input: usage?.input_tokens ?? 0,
        output: usage?.output_tokens ?? 0,
        tools: ((answer?.["function_calls"] ?? []) as readonly { name: string }[]).map(
          ({ name }) => name,
        ),
      }));
    expect(told(calls)).toEqual(told(answers.filter(({ error }) => error === undefined)));
  });

  test("agents are found by ids, runs begin where a person said something, errors are told", async () => {
    const sessions = await sessionsOf(format, dir);
    expect(sessions.flatMap(checkSession)).toEqual([]);
    expect(sessions.map(shapeOf)).toEqual(shapes);
  });
});

/** What the script lets agents come to: what the tools give that asked for them, and what a call is told of those in the background. */
interface CameTo {
  readonly tools: readonly string[];
  readonly calls: readonly string[];
}

const CAME_TO: Readonly<Record<string, CameTo>> = {
  "claude-code": {
    tools: [
      "child a counted one file.",
      "child a counted one file.",
      "deep is done.",
      "nested is done.",
    ],
    calls: ["background child finished."],
  },
  // The first one says it by a tool.
  "gemini-cli": {
    tools: ["Output submitted and task completed.", "child-b: nothing left at 3"],
    calls: [],
  },
  "copilot-cli": { tools: ["Found a.txt ", "Nothing more. "], calls: ["Found a.txt "] },
  opencode: { tools: ["child a is done.", "child a is done.", "child n is done."], calls: [] },
  "openai-log": { tools: ["child done"], calls: [] },
  codex: {
    tools: [],
    calls: ["All done: 42.", "child a is done.", "child a is done.", "child n is done.", "side 24"],
  },
};

test.each(Object.entries(CAME_TO))(
  "what agents of %s come to is handed to the tool or the call that is given it",
  async (format, expected) => {
    const sessions = await sessionsOf(format, folderOf(format));
    const steps = sessions.flatMap((one) => one.conversations.flatMap((run) => run.steps));
    const byId = new Map(steps.map((step) => [step.step_id, step]));
    const handedTo = (label: string): readonly unknown[] =>
      steps
        .filter((step) => step.label === label)
        .flatMap(({ edges = [] }) => edges.filter(({ type }) => type === "handoff"))
        .flatMap(({ to }) => byId.get(to) ?? [])
        // By a tool call an agent sends a message before it is done.
        .filter((step) => step.label !== "tool_call")
        .map(({ payload_completed: came }) => came?.["text"] ?? came?.["result"])
        .toSorted();
    expect({ tools: handedTo("tool_output"), calls: handedTo("assistant_call") }).toEqual(expected);
  },
);
