import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { context, defaultTextMapGetter, ROOT_CONTEXT, trace } from "@opentelemetry/api";
import {
  CompositePropagator,
  suppressTracing,
  W3CBaggagePropagator,
  W3CTraceContextPropagator,
} from "@opentelemetry/core";
import { NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import { openAdaptations, runAdaptationTool } from "@thoughtflow/adaptations";
import { assemble } from "@thoughtflow/assemble";
import { fileNameOf, listSessions } from "@thoughtflow/journal";
import { ThoughtFlowSpanProcessor } from "@thoughtflow/processor";
import { renderers } from "@thoughtflow/render";
import { checkSession, readSession, type Session } from "@thoughtflow/schema";
import { canonicalJson } from "@thoughtflow/schema/canonical";
import {
  type AnyTracing,
  badAdaptationEdits,
  badCarriers,
  badDeclarations,
  badDirectoryEntries,
  badDocuments,
  badIdentifiers,
  badInputCorpora,
  badPrograms,
  badReadableSpans,
  badSpans,
  badStepAttributes,
  badTexts,
  badValues,
} from "@thoughtflow/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "./architecture/packages.ts";

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

describe("the corpus", () => {
  test("has every number from 1 to 175", () => {
    const numbers = badInputCorpora.flatMap(({ inputs = [], items = [] }) => [
      ...inputs.map(({ item }) => item),
      ...items,
    ]);
    expect([...new Set(numbers)].sort((a, b) => a - b)).toEqual(
      Array.from({ length: 175 }, (_, n) => n + 1),
    );
  });

  test("has a page that says of each number what must come of it, and by which test it does", async () => {
    const rows = badInputCorpora.map(({ inputs = [], items = [], form, outcome, sinks }) => {
      const tests = sinks.map(({ file, test: title }) => `\`${file}\`: *${title}*`).join(", ");
      const named = new Map(inputs.map(({ item, name }) => [item, `${item} ${name}`]));
      return `| ${form} | ${[...named.values(), ...items].join(", ")} | ${outcome} | ${tests} |`;
    });
    const page = [
      "# Bad inputs",
      "",
      "What may come in that no program should ever send, and does: 175 kinds, each with its values in",
      "[the corpus](../packages/testkit/src/bad-inputs/bad-input-corpora.ts), what must come of it, and the tests that give it to the",
      "real thing. `vitest run tests/bad-inputs.test.ts -u` writes this page from the corpus; a test compares the two.",
      "",
      "| given as | what | what comes of it | tests |",
      "|---|---|---|---|",
      ...rows,
      "",
    ].join("\n");
    await expect(page).toMatchFileSnapshot(join(ROOT, "docs", "bad-inputs.md"));
  });

  test("is run by tests that there are", () => {
    for (const { form, sinks } of badInputCorpora) {
      expect({ form, sinks: sinks.length }).not.toEqual({ form, sinks: 0 });
      for (const { file, test: title } of sinks)
        expect(readFileSync(join(ROOT, file), "utf8")).toContain(title);
    }
  });
});

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

  test("of sessions are kept in the file, those that are no text are none", async () => {
    const sessions = await sessionsOf(badIdentifiers.map(({ value }) => ({ "session.id": value })));
    const texts = badIdentifiers.flatMap(({ value }) =>
      typeof value === "string" && value !== "" ? [value.toWellFormed()] : [],
    );
    const found = new Set(sessions.map(({ session_id }) => session_id.toWellFormed()));
    for (const id of texts) expect(found).toContain(id);
  });
});

test("values of every kind do no harm, and cost no other step", async () => {
  const values = badValues();
  const [session, ...others] = await sessionsOf(values.map(({ value }) => value));
  expect(others).toEqual([]);
  expect(session?.totals?.tool_calls).toBe(values.length);
});

test.each(badSpans)("$item, $name: assembled into a sound session", ({ value }) => {
  for (const session of assemble(value)) sound(canonicalJson(session));
});

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

test("words that a reader could act on stay words, in every rendering", async () => {
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

const toolCall = { "gen_ai.operation.name": "execute_tool" };

/** A provider of its own with a step of the session "s" before and after something, and what came of it. */
async function between(
  something: (tracing: AnyTracing, processor: ThoughtFlowSpanProcessor) => void | Promise<void>,
): Promise<Session> {
  const dir = join(root, `flows-${made++}`);
  const processor = new ThoughtFlowSpanProcessor({ dir, sessionId: "s" });
  const provider = new NodeTracerProvider({ spanProcessors: [processor] });
  const tracer = provider.getTracer("test");
  const startSpan: AnyTracing["startSpan"] = (name, options, parent) =>
    tracer.startSpan(
      name as string,
      { ...options, attributes: { ...toolCall, ...options?.attributes } },
      parent === undefined ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, parent as never),
    ) as ReturnType<AnyTracing["startSpan"]>;
  const step = (id: string) =>
    startSpan("step", { attributes: { "session.id": "s", "thoughtflow.step.id": id } }).end();
  const tracing: AnyTracing = {
    startSpan,
    shutdown: () => provider.shutdown(),
    suppressed: (work) => context.with(suppressTracing(ROOT_CONTEXT), work),
  };
  step("before");
  await something(tracing, processor);
  step("after");
  await processor.forceFlush();
  const session = sound(readFileSync(join(dir, "s.json"), "utf8"));
  const ids = session.conversations.flatMap(({ steps }) => steps.map(({ step_id }) => step_id));
  expect(ids).toContain("before");
  expect(ids).toContain("after");
  return session;
}

test.each(badPrograms)("$item, $name: costs no other step", async ({ value }) => {
  await between(value);
});

test.each(badReadableSpans)("$item, $name: handed to the processor", async ({ value }) => {
  await between((_, processor) => {
    processor.onStart(value as never, ROOT_CONTEXT);
    processor.onEnd(value as never);
  });
});

test.each(badCarriers)("$item, $name: from a caller places nothing", async ({ value }) => {
  const propagator = new CompositePropagator({
    propagators: [new W3CTraceContextPropagator(), new W3CBaggagePropagator()],
  });
  const session = await between((_, processor) => {
    const provider = new NodeTracerProvider({ spanProcessors: [processor] });
    const remote = propagator.extract(ROOT_CONTEXT, value, defaultTextMapGetter);
    const attributes = { ...toolCall, "thoughtflow.step.id": "mine" };
    provider.getTracer("test").startSpan("step", { attributes }, remote).end();
  });
  const mine = session.conversations.find(({ steps }) =>
    steps.some(({ step_id }) => step_id === "mine"),
  );
  expect(mine?.conversation_id).toMatch(/^r_[0-9a-f]{16}$/);
  expect(JSON.stringify(session)).not.toContain("stolen");
});

test.each(badDocuments)("$item, $name: is read and shown", ({ value }) => {
  const result = readSession(JSON.stringify(value));
  if (!result.ok) {
    expect(result.problems[0]?.message).toMatch(/\w/);
    return;
  }
  for (const { message } of checkSession(result.session)) expect(message).toMatch(/\w/);
  for (const renderer of Object.values(renderers))
    expect(typeof renderer.render(result.session, { color: false })).toBe("string");
  const text = canonicalJson(result.session);
  expect(canonicalJson(sound(text))).toBe(text);
});

test.each(badDirectoryEntries)(
  "$item, a $value in place of a document is passed over",
  async ({ value }) => {
    const dir = join(root, `entries-${made++}`);
    const processor = new ThoughtFlowSpanProcessor({ dir });
    mkdirSync(dir);
    const path = join(dir, "x.json");
    const outside = join(root, `outside-${made++}`);
    const make = {
      fifo: () => execFileSync("mkfifo", [path]),
      directory: () => mkdirSync(path),
      "link to a file": () => {
        writeFileSync(outside, "{}");
        symlinkSync(outside, path);
      },
      "link to a directory": () => {
        mkdirSync(outside);
        symlinkSync(outside, path);
      },
    };
    make[value]();
    expect(listSessions(dir)).toEqual([]);
    // A session of that name takes the place of a link or a pipe, and does not follow it.
    const provider = new NodeTracerProvider({ spanProcessors: [processor] });
    const attributes = { ...toolCall, "session.id": "x" };
    provider.getTracer("test").startSpan("step", { attributes }, ROOT_CONTEXT).end();
    await processor.forceFlush();
    if (value !== "directory") sound(readFileSync(path, "utf8"));
    if (value === "link to a file") expect(readFileSync(outside, "utf8")).toBe("{}");
    expect(existsSync(join(outside, "x.json"))).toBe(false);
  },
);

test("edits of adaptations are refused, with a reason, and nothing is proposed", () => {
  const dir = join(root, `adaptations-${made++}`);
  const tone = { id: "tone", title: "Tone", content: "Be kind.", scope: {}, enabled: true };
  const adaptations = openAdaptations({ dir, catalogue: [tone], watch: false });
  const answers = badAdaptationEdits.map(({ value }) =>
    runAdaptationTool(adaptations, "update_adaptation", value),
  );
  expect(answers).toEqual(
    badAdaptationEdits.map(({ value }) => ({
      error: value["id"] === "tone" ? "invalid" : "not_found",
      message: expect.stringMatching(/\w+ \w+/),
    })),
  );
  expect(adaptations.get("tone")).toEqual({ item: tone });
  expect(existsSync(join(dir, "audit.jsonl"))).toBe(false);
});
