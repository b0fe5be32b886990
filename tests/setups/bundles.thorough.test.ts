import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { completion } from "./completion.ts";
import { runApp } from "./run-app.ts";

const app = (end: string) => `
import { startThoughtFlow } from "@thoughtflow/node";
import OpenAI from "openai";

const flow = startThoughtFlow({ openai: OpenAI });
const client = new OpenAI({ apiKey: "k", baseURL: process.env.BASE_URL });
await client.chat.completions.create({ model: "m", messages: [{ role: "user", content: "Hi" }] });
${end}
`;

/** Far from any `node_modules`, as where a bundle is deployed. */
let dir = "";
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "thoughtflow-bundles-"));
});
afterAll(() => rm(dir, { recursive: true }));

/** Everything in one file: openai, ThoughtFlow, OpenTelemetry. */
async function runBundled(name: string, end: string) {
  const outfile = join(dir, `${name}.mjs`);
  await build({
    stdin: { contents: app(end), resolveDir: import.meta.dirname },
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "silent",
    banner: {
      js: 'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);',
    },
  });
  return runApp([outfile], [completion({ content: "Hi." })]);
}

test("an app that has all of ThoughtFlow in its bundle writes its file when it waits for the shutdown", async () => {
  const { code, stderr, sessions } = await runBundled("waits", "await flow.shutdown();");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(sessions.map(({ totals }) => totals?.model_calls)).toEqual([1]);
});

test("one that does not is told why there is no file, and where all of it is", async () => {
  const { code, stderr, sessions } = await runBundled("ends", "");
  expect({ code, sessions }).toEqual({ code: 0, sessions: [] });
  expect(stderr).toMatch(
    /ThoughtFlowWarning: no document could be made .*bundle.*thoughtflow recover/,
  );
  expect(stderr).not.toContain("could not be written");
});
