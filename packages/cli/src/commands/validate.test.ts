import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { capturedIo } from "../../testing/captured-io.ts";
import { directoryWith, seedText } from "../../testing/flow-directory.ts";
import { thoughtflow } from "../thoughtflow.ts";

const files = {
  "seed.json": seedText,
  "dangling.json": `{"session_id": "s", "conversations": [{ "conversation_id": "r", "steps": [
    { "step_id": "a", "label": "node", "depends_on": "nowhere" }] }]}`,
  "wrong.json": `{
  "session_id": 7,
  "conversations": [{ "conversation_id": "r" }]
}`,
};

test("each file is told sound or wrong, with line, path and what was expected", async () => {
  const io = capturedIo(directoryWith(files));
  expect(
    await thoughtflow(["validate", "seed.json", "dangling.json", "wrong.json", "none.json"], io),
  ).toBe(1);
  expect(io.stdout().replace(/in \S+thoughtflow\./, "in DIR.")).toBe(
    `seed.json: ok (version 0, 1 run, 9 steps)
dangling.json: ok (version 0, 1 run, 1 step)
dangling.json: warning: conversations[0].steps[0].depends_on names "nowhere", which is no step of this session; expected the id of another step
wrong.json:2:17: session_id is a number; expected a string
wrong.json:3:21: conversations[0].steps is missing; expected a list
none.json: There is neither a file none.json nor a session none.json in DIR. See: thoughtflow list
`,
  );
});

test("a file of another program is told with what imports it", async () => {
  const said = {
    uuid: "u1",
    sessionId: "s1",
    type: "user",
    message: { role: "user", content: "Hi" },
  };
  const line = `${JSON.stringify({ ...said, timestamp: "2026-01-01T00:00:00.000Z" })}\n`;
  const io = capturedIo(directoryWith({ "t.jsonl": line + line.replace("u1", "u2") }));
  expect(await thoughtflow(["validate", "t.jsonl"], io)).toBe(1);
  expect(io.stdout()).toMatch(
    /; expected JSON\nt\.jsonl: It is a transcript of Claude Code: try "thoughtflow import claude-code t\.jsonl"\.\n$/,
  );
});

test("warnings fail only under --strict", async () => {
  const io = capturedIo(directoryWith(files));
  expect(await thoughtflow(["validate", "dangling.json"], io)).toBe(0);
  expect(await thoughtflow(["validate", "--strict", "dangling.json"], io)).toBe(1);
});

test("problems come as data", async () => {
  const io = capturedIo(directoryWith(files));
  await thoughtflow(["validate", "wrong.json", "--format", "json"], io);
  expect(JSON.parse(io.stdout())).toEqual([
    {
      file: "wrong.json",
      ok: false,
      problems: [
        {
          code: "wrong_type",
          path: ["session_id"],
          message: "is a number",
          expected: "a string",
          line: 2,
          column: 17,
        },
        {
          code: "missing",
          path: ["conversations", 0, "steps"],
          message: "is missing",
          expected: "a list",
          line: 3,
          column: 21,
        },
      ],
      warnings: [],
    },
  ]);
});

test("a thought that is not what its type says is told of, one whose words are elsewhere is not", async () => {
  const thoughts = [
    { thought: "So.", thought_type: "reasoning", confidence: 0.9 },
    { thought: "So.", thought_type: "hunch", mood: "calm" },
    { thought: { $blob: { sha256: "0", bytes: 2_000_000 } }, thought_type: "reasoning" },
    { call_id: "content did not travel" },
    { thought: "So.", thought_type: "decision_frame", options: [{ label: "a" }] },
  ];
  const steps = thoughts.map((payload_started, n) => ({
    step_id: `${n}`,
    label: "thought",
    payload_started,
  }));
  const session = { session_id: "s", conversations: [{ conversation_id: "r", steps }] };
  const io = capturedIo(directoryWith({ "thoughts.json": JSON.stringify(session) }));
  expect(await thoughtflow(["validate", "thoughts.json"], io)).toBe(0);
  const at = "thoughts.json: warning: conversations[0].steps[4].payload_started";
  expect(io.stdout().split("\n")).toEqual([
    "thoughts.json: ok (version 0, 1 run, 5 steps)",
    expect.stringContaining(`${at}.confidence is no good thought: `),
    `${at}.options is no good thought: exactly one option must be selected`,
    "",
  ]);
});

test("a workflow document is held against its own schema, and a file that is named twice is told once", async () => {
  const cwd = directoryWith(files);
  expect(await thoughtflow(["workflow", "seed.json", "-o", "flow.json"], capturedIo(cwd))).toBe(0);
  const document = JSON.parse(readFileSync(join(cwd, "flow.json"), "utf8"));
  const wrong = { ...document, entities: 7 };
  writeFileSync(join(cwd, "wrong-flow.json"), JSON.stringify(wrong));
  const io = capturedIo(cwd);
  const words = ["flow.json", "./flow.json", "seed.json", "seed.json", "wrong-flow.json"];
  expect(await thoughtflow(["validate", ...words], io)).toBe(1);
  const [flow, seed, problem = ""] = io.stdout().split("\n");
  expect(flow).toMatch(/^flow\.json: ok \(workflow, \d+ agents?, \d+ requests?\)$/);
  expect(seed).toBe("seed.json: ok (version 0, 1 run, 9 steps)");
  expect(problem).toMatch(/^wrong-flow\.json: entities is wrong: /);
});

test("of a directory all ThoughtFlow files are told, and one that is wrong fails", async () => {
  const cwd = directoryWith({});
  const flows = join(cwd, "flows");
  mkdirSync(join(flows, "blobs"), { recursive: true });
  writeFileSync(join(flows, "seed.json"), seedText);
  writeFileSync(join(flows, "package.json"), `{ "name": "other" }`);
  writeFileSync(join(flows, "notes.md"), "# Notes");
  const workflow = ["workflow", "flows/seed.json", "-o", "flows/workflow.json"];
  expect(await thoughtflow(workflow, capturedIo(cwd))).toBe(0);
  const sound = capturedIo(cwd);
  expect(await thoughtflow(["validate", "flows", "flows/seed.json"], sound)).toBe(0);
  expect(sound.stdout().split("\n")).toEqual([
    "flows/seed.json: ok (version 0, 1 run, 9 steps)",
    expect.stringMatching(/^flows\/workflow\.json: ok \(workflow, /),
    "",
  ]);
  expect(sound.stderr()).toBe("flows: left out 1 other file.\n");
  writeFileSync(join(flows, "cut.json"), seedText.slice(0, 400));
  const wrong = capturedIo(cwd);
  expect(await thoughtflow(["validate", "flows"], wrong)).toBe(1);
  expect(wrong.stdout()).toMatch(/^flows\/cut\.json:\d+:\d+: /);
  expect(wrong.stdout()).toContain("flows/seed.json: ok");
});

test("a directory without a ThoughtFlow file is no sound one", async () => {
  const io = capturedIo(directoryWith({ "package.json": "{}" }));
  expect(await thoughtflow(["validate", "."], io)).toBe(1);
  expect(io.stdout()).toContain("holds no ThoughtFlow file");
});
