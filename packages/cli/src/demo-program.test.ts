import { join } from "node:path";
import { expect, test } from "vitest";
import { directoryWith } from "../testing/flow-directory.ts";
import { demoProgram } from "./demo-program.ts";

const openai = (node: string) => JSON.stringify({ version: "7.55.0", engines: { node } });

test("the app runs as a file where openai is beside it, else from stdin where the user has it", () => {
  const place = directoryWith({ "lib/app.mjs": "// app", "empty/x": "" });
  const app = join(place, "lib", "app.mjs");
  const cwd = directoryWith({ "node_modules/openai/package.json": openai(">=20"), "sub/x": "" });
  expect(demoProgram(join(cwd, "sub"), app)).toEqual({
    command: [process.execPath, "--input-type=module", "-"],
    input: "// app",
  });
  expect(demoProgram(place, join(cwd, "sub", "app.mjs"))).toEqual({
    command: [process.execPath, join(cwd, "sub", "app.mjs")],
  });
});

test("without openai, or with one that needs a newer Node, it says what to do", () => {
  const cwd = directoryWith();
  expect(() => demoProgram(cwd, join(cwd, "app.mjs"))).toThrow("npm install openai");
  const later = directoryWith({ "node_modules/openai/package.json": openai(">=99.0.0") });
  expect(() => demoProgram(later, join(later, "app.mjs"))).toThrow(
    `openai 7.55.0 needs Node 99 or newer, and this is Node ${process.versions.node}.`,
  );
});
