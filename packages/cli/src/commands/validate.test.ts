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
