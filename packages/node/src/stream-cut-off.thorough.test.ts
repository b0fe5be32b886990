import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createReplayServer, toExchange } from "@thoughtflow/testkit";
import { expect, test } from "vitest";
import { fixture, runChild } from "./fixtures/run-child.ts";

interface Step {
  readonly label: string;
  readonly status?: string;
  readonly payload_completed?: unknown;
}

const piece = (content: string): string =>
  `data: ${JSON.stringify({ id: "c", model: "m-1", choices: [{ index: 0, delta: { content } }] })}\n\n`;

test.for(["process.exit", "SIGTERM", "SIGINT", "an error"])(
  "what came of a stream that is cut off by %s is in the file",
  async (ending) => {
    const dir = await mkdtemp(join(tmpdir(), "thoughtflow-stream-"));
    const heard = piece("One, ") + piece("two");
    await using server = await createReplayServer(
      [toExchange("/", `${heard}${piece(", three")}`)],
      {
        faults: { 0: { kind: "stall", afterBytes: Buffer.byteLength(heard) } },
      },
    );
    try {
      await runChild(["--import", fixture("start.mjs"), fixture("stream-cut-off.mjs"), ending], {
        BASE_URL: `${server.url}/v1`,
        THOUGHTFLOW_DIR: dir,
      });
      const name = (await readdir(dir)).find((one) => one.endsWith(".json")) ?? "";
      const session = JSON.parse(await readFile(join(dir, name), "utf8"));
      const steps: Step[] = session.conversations.flatMap(
        (run: { readonly steps: Step[] }) => run.steps,
      );
      expect(steps.find(({ label }) => label === "assistant_call")?.status).toBe("abandoned");
      expect(
        steps.find(({ label }) => label === "assistant_message")?.payload_completed,
      ).toMatchObject({ text: "One, two" });
    } finally {
      await rm(dir, { recursive: true });
    }
  },
);
