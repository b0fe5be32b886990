import { join } from "node:path";
import { test } from "vitest";
import { completion, toolLoop } from "./completion.ts";
import { REGISTER, runApp } from "./run-app.ts";

const [setup, app] = ["node-tracer-provider.mjs", "ending.mjs"].map((name) =>
  join(import.meta.dirname, "apps", name),
);
/** An answer for the request, and one that waits for a tool when the process ends. */
const exchanges = [completion({ content: "hi" }), ...toolLoop("call_1", "add", "3").slice(0, 1)];

/** With what becomes of the run that waits for its tool. */
const ENDINGS = [
  ["by itself", "completed"],
  ["by process.exit(3)", "completed"],
  ["by an error", "error"],
  ["by SIGTERM", "aborted"],
  ["by SIGTERM that it handles once", "completed"],
] as const;

test.concurrent.for(ENDINGS)(
  "a process with a provider of its own that ends %s leaves whole files, and ends as it would have",
  async ([ending, waiting], { expect }) => {
    const args = ["--import", setup ?? "", app ?? "", ending];
    const bare = await runApp(args, exchanges);
    const { sessions, ...observed } = await runApp(["--import", REGISTER, ...args], exchanges, {
      WITH_PROCESSOR: "yes",
    });
    expect({ ...observed, sessions: [] }).toEqual(bare);
    expect(
      sessions.map(({ status, completeness, totals }) => [
        status,
        completeness?.status,
        totals?.model_calls,
      ]),
    ).toEqual([
      ["completed", "complete", 1],
      [waiting, "complete", 1],
    ]);
  },
);
