import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Session } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { ROOT } from "../architecture/packages.ts";
import { startJaeger } from "./jaeger.ts";
import { runApp } from "./run-app.ts";
import { startTempo } from "./tempo.ts";

const app = (otlpEndpoint: string) =>
  runApp("chat-tool-loop.mjs", "simonw-llm/chat-tool-chain", {
    OTEL_EXPORTER_OTLP_ENDPOINT: otlpEndpoint,
    OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: "true",
    THOUGHTFLOW_SESSION_ID: "imported",
  });

/** Runs `thoughtflow import` until the backend shows all it has been sent, and gives the session that it made. */
async function imported(session: Session, ...argv: readonly string[]): Promise<Session> {
  const steps = session.conversations.flatMap((run) => run.steps).length;
  const deadline = performance.now() + 60_000;
  for (;;) {
    const out = await mkdtemp(join(tmpdir(), "thoughtflow-import-"));
    try {
      await thoughtflow("import", ...argv, "--out", out);
      const found: Session = JSON.parse(
        await readFile(join(out, `${session.session_id}.json`), "utf8"),
      );
      if (found.conversations.flatMap((run) => run.steps).length >= steps) return found;
      if (performance.now() > deadline) return found;
    } catch (error) {
      if (performance.now() > deadline) throw error;
    } finally {
      await rm(out, { recursive: true, force: true });
    }
  }
}

function thoughtflow(...argv: readonly string[]): Promise<void> {
  const command = [join(ROOT, "packages/cli/dist/main.js"), ...argv];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, command, (error, _stdout, stderr) =>
      error === null ? resolve() : reject(new Error(stderr)),
    );
  });
}

/** What came through a backend, in the words of the app's own file. */
function told({ session_id, totals, conversations }: Session) {
  const steps = conversations.flatMap((run) => run.steps);
  return {
    session_id,
    totals,
    steps: steps.map((step) => [step.step_id, step.label, step.depends_on, step.payload_completed]),
  };
}

test("what Jaeger has of a session is the session that the app wrote", async () => {
  await using jaeger = await startJaeger();
  const [own] = (await app(jaeger.otlpEndpoint)).sessions;
  if (own === undefined) throw new Error("the app left no session behind");
  const bySession = await imported(own, "jaeger", jaeger.queryEndpoint, "--session", "imported");
  expect(told(bySession)).toEqual(told(own));
  const trace = own.conversations[0]?.trace_id ?? "";
  const byTrace = await imported(own, "jaeger", jaeger.queryEndpoint, "--trace", trace);
  expect(told(byTrace)).toEqual(told(own));
}, 180_000);

test("what Tempo has of a session, by id, by session and by TraceQL, is the session that the app wrote", async () => {
  await using tempo = await startTempo();
  const [own] = (await app(tempo.otlpEndpoint)).sessions;
  if (own === undefined) throw new Error("the app left no session behind");
  const trace = own.conversations[0]?.trace_id ?? "";
  for (const choice of [
    ["--trace", trace],
    ["--session", "imported"],
    ["--query", '{ span.gen_ai.operation.name = "chat" }'],
  ])
    expect(told(await imported(own, "tempo", tempo.queryEndpoint, ...choice))).toEqual(told(own));
}, 300_000);

const MINUTE_MS = 60_000;

test.each([
  // What is older than half an hour Tempo looks for in finished blocks alone, which take minutes.
  ["10 minutes", 10 * MINUTE_MS],
  // Of no range up to now that Tempo takes.
  ["10 days", 10 * 24 * 60 * MINUTE_MS],
])(
  "Tempo finds a session that is pushed %s after it ended",
  async (_, age) => {
    await using tempo = await startTempo();
    const dir = await mkdtemp(join(tmpdir(), "thoughtflow-pushed-"));
    const ended = new Date(Date.now() - age).toISOString();
    const times = { started_at: ended, ended_at: ended };
    const step = { step_id: "question", label: "user_message", ...times };
    const run = { conversation_id: "run", ...times, steps: [step] };
    const session: Session = { session_id: "earlier", ...times, conversations: [run] };
    const file = join(dir, "earlier.json");
    try {
      await writeFile(file, JSON.stringify(session));
      await thoughtflow("push", file, "--otlp", tempo.otlpEndpoint);
      const found = await imported(session, "tempo", tempo.queryEndpoint, "--session", "earlier");
      expect(found).toMatchObject({ session_id: "earlier", conversations: [{ steps: [step] }] });
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  },
  300_000,
);
