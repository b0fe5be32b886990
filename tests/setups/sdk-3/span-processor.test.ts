import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT_CONTEXT } from "@opentelemetry/api";
import { TracerProvider } from "@opentelemetry/sdk-trace";
import { ThoughtFlowSpanProcessor } from "@thoughtflow/processor";
import { expect, test } from "vitest";
import { sessionsIn } from "../run-app.ts";

test("a provider of SDK 3 takes the processor, by its types too, and its nested attributes do no harm", async () => {
  const dir = await mkdtemp(join(tmpdir(), "thoughtflow-sdk-3-"));
  try {
    const provider = new TracerProvider({
      spanProcessors: [new ThoughtFlowSpanProcessor({ dir })],
    });
    const attributes = {
      "gen_ai.operation.name": "chat",
      "session.id": "talk",
      nested: { list: [1, { deep: "value" }], bytes: new Uint8Array([1, 2]), nothing: null },
    };
    provider.getTracer("app").startSpan("chat", { attributes }, ROOT_CONTEXT).end();
    await provider.forceFlush();
    const labels = (await sessionsIn(dir)).map(({ session_id, conversations }) => [
      session_id,
      conversations.flatMap(({ steps }) => steps.map(({ label }) => label)),
    ]);
    expect(labels).toEqual([["talk", ["assistant_call"]]]);
  } finally {
    await rm(dir, { recursive: true });
  }
});
