import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { ROOT_CONTEXT, trace } from "@opentelemetry/api";
import { NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import { assemble } from "@thoughtflow/assemble";
import { fileNameOf } from "@thoughtflow/journal";
import { ThoughtFlowSpanProcessor } from "@thoughtflow/processor";
import { renderers } from "@thoughtflow/render";
import { readSession, type Session } from "@thoughtflow/schema";
import { canonicalJson } from "@thoughtflow/schema/canonical";
import {
  badDeclarations,
  badIdentifiers,
  badSpans,
  badStepAttributes,
  badTexts,
  badValues,
} from "@thoughtflow/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

let root = "";
let made = 0;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "bad-inputs-"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const plainObject = JSON.stringify(Object.getOwnPropertyNames(Object.prototype));

/** Ends a span for each of these, and gives what came of them: every file of the directory must be a sound session. */
async function sessionsOf(spans: readonly Readonly<Record<string, unknown>>[]): Promise<Session[]> {
  const dir = join(root, `flows-${made++}`);
  const provider = new NodeTracerProvider({
    spanProcessors: [new ThoughtFlowSpanProcessor({ dir })],
  });
  const tracer = provider.getTracer("test");
  const parent = tracer.startSpan(
    "run",
    { attributes: { "thoughtflow.run.id": "run" } },
    ROOT_CONTEXT,
  );
  for (const attributes of spans) {
    const span = tracer.startSpan("step", {}, trace.setSpan(ROOT_CONTEXT, parent));
    // As a careless SDK would, without a look at what it is.
    Object.defineProperties(span, {
      attributes: {
        value: Object.defineProperties(
          { "gen_ai.operation.name": "execute_tool" },
          Object.getOwnPropertyDescriptors(attributes),
        ),
      },
    });
    span.end();
  }
  parent.end();
  await provider.forceFlush();
  expect(JSON.stringify(Object.getOwnPropertyNames(Object.prototype))).toBe(plainObject);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  const names = readdirSync(dir).filter((name) => name.endsWith(".json"));
  return names.map((name) => sound(readFileSync(join(dir, name), "utf8")));
}

function sound(text: string): Session {
  const result = readSession(text);
  if (!result.ok) throw new Error(result.problems.map(({ message }) => message).join("; "));
  return result.session;
}

describe("identifiers", () => {
  test("give each a name of its own, in its place, that every system takes", () => {
    const ids = badIdentifiers.flatMap(({ value }) => (typeof value === "string" ? [value] : []));
    const names = ids.map((id) => fileNameOf(id));
    expect(new Set(names.map((name) => name.normalize("NFC").toLowerCase())).size).toBe(
      new Set(ids).size,
    );
    for (const name of names) {
      expect(resolve(root, `${name}.json`)).toBe(join(root, `${name}.json`));
      expect(Buffer.byteLength(name)).toBeLessThan(200);
      expect(name).toMatch(/^[A-Za-z0-9_~][A-Za-z0-9_~-]*$/);
    }
  });

  test("of sessions are kept in the file, those that are no text are none", {
    timeout: 60_000,
  }, async () => {
    const sessions = await sessionsOf(badIdentifiers.map(({ value }) => ({ "session.id": value })));
    const texts = badIdentifiers.flatMap(({ value }) =>
      typeof value === "string" && value !== "" ? [value.toWellFormed()] : [],
    );
    const found = new Set(sessions.map(({ session_id }) => session_id.toWellFormed()));
    for (const id of texts) expect(found).toContain(id);
  });
});

test("values of every kind do no harm, and cost no other step", { timeout: 60_000 }, async () => {
  const values = badValues();
  const [session, ...others] = await sessionsOf(values.map(({ value }) => value));
  expect(others).toEqual([]);
  expect(session?.totals?.tool_calls).toBe(values.length);
});

test.each(badSpans)(
  "$item, $name: assembled into a sound session",
  { timeout: 60_000 },
  ({ value }) => {
    for (const session of assemble(value)) sound(canonicalJson(session));
  },
);

test.each([...badDeclarations.map(({ item, name, value }) => ({ item, name, steps: value }))])(
  "$item, $name: a sound session",
  async ({ steps }) => {
    const all = ["a", "b", "c"].map((id) => ({
      "thoughtflow.step.id": id,
      ...(steps[id] !== undefined && { "thoughtflow.depends_on": steps[id] }),
    }));
    const [session] = await sessionsOf(all);
    expect(
      session?.conversations[0]?.steps.filter(({ origin }) => origin === "recorded"),
    ).toHaveLength(3);
  },
);

test("attributes that say what can't be do no harm", async () => {
  const [session] = await sessionsOf(badStepAttributes.map(({ value }) => value));
  expect(session?.totals?.tool_calls).toBeGreaterThan(0);
});

test("words that a reader could act on stay words, in every rendering", {
  timeout: 60_000,
}, async () => {
  const [session] = await sessionsOf(
    badTexts.map(({ value }) => ({
      "gen_ai.tool.name": value,
      "gen_ai.tool.call.arguments": JSON.stringify({ text: value }),
      "gen_ai.tool.call.result": JSON.stringify(value),
    })),
  );
  if (session === undefined) throw new Error("there is a session");
  for (const renderer of Object.values(renderers)) {
    const text = renderer.render(session, { color: false });
    // No control but line breaks and tabs, whatever the words held.
    expect(text.replace(/[\n\t]/g, "")).not.toMatch(/\p{Cc}/u);
    if (renderer.name === "svg")
      expect(text).not.toMatch(/<script|<image|<foreignObject|javascript:[^<]*"|href="(?!#)/);
  }
});
