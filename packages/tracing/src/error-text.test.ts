import { trace } from "@opentelemetry/api";
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import { afterEach, beforeAll, expect, test } from "vitest";
import { errorTextOf } from "./error-text.ts";
import { setSpanContentCapture } from "./expose-content.ts";
import { withStep } from "./step.ts";

const exporter = new InMemorySpanExporter();

beforeAll(() =>
  new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register(),
);

afterEach(() => {
  setSpanContentCapture(false);
  exporter.reset();
});

function failingWith(error: unknown) {
  const run = () =>
    withStep({ label: "node", name: "fails" }, () => {
      throw error;
    });
  expect(run).toThrow();
  const [span] = exporter.getFinishedSpans();
  if (span === undefined) throw new Error("no span");
  const [exception] = span.events;
  return { span, status: span.status.message, exception: exception?.attributes };
}

test("a span without content says what kind of error it was, how long it is and where it came from", () => {
  const { span, status, exception } = failingWith(new TypeError("the prompt was: 'hi\n at all'"));
  expect(status).toBe("TypeError (28 characters)");
  expect(exception).toEqual({
    "exception.type": "TypeError",
    "exception.message": "TypeError (28 characters)",
    "exception.stacktrace": expect.stringMatching(/^TypeError\n {4}at .*error-text\.test\.ts/),
  });
  expect(JSON.stringify(exception)).not.toMatch(/the prompt|at all/);
  expect(errorTextOf(span)?.message).toBe("the prompt was: 'hi\n at all'");
});

test("a span with content has the words, and no keys in them", () => {
  setSpanContentCapture(true);
  const key = `sk-${"aB3d".repeat(8)}`;
  const { status, exception } = failingWith(new TypeError(`bad key ${key}`));
  expect(status).toBe("bad key [redacted: api_key]");
  expect(JSON.stringify(exception)).toContain("bad key [redacted: api_key]");
  expect(JSON.stringify(exception)).not.toContain(key);
});

test("an error of an error's own making changes nothing", () => {
  const { status } = failingWith("only words");
  expect(status).toBe("_OTHER (10 characters)");
  expect(trace.getActiveSpan()).toBeUndefined();
});

test("an error has what it was caused by below it, its words only where words are shown", () => {
  const locked = () =>
    new Error("order is locked", { cause: new RangeError("deadlock 17", { cause: "no error" }) });
  const hidden = failingWith(locked());
  expect(hidden.exception?.["exception.stacktrace"]).toMatch(
    /^Error\n {4}at [\s\S]*\nCaused by: RangeError\n {4}at /,
  );
  expect(JSON.stringify(hidden.exception)).not.toContain("deadlock");
  expect(errorTextOf(hidden.span)?.stack).toMatch(
    /^Error: order is locked\n[\s\S]*\nCaused by: RangeError: deadlock 17\n/,
  );
  exporter.reset();
  const circle = new Error("round");
  circle.cause = circle;
  const stack = String(failingWith(circle).exception?.["exception.stacktrace"]);
  expect(stack.match(/Caused by/g)).toHaveLength(8);
});
