import { createContextKey, INVALID_SPAN_CONTEXT, ROOT_CONTEXT, trace } from "@opentelemetry/api";
import { describe, expect, test } from "vitest";
import { insideSpan } from "./inside-span.ts";

const KEY = createContextKey("test");
const span = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);
const around = trace.setSpan(
  ROOT_CONTEXT.setValue(KEY, "kept"),
  trace.wrapSpanContext({ ...INVALID_SPAN_CONTEXT, traceFlags: 1 }),
);

describe("a context inside a span", () => {
  test("has that span, and all else of the context around it", () => {
    const inside = insideSpan(around, span);
    expect(inside).not.toBeInstanceOf(around.constructor);
    expect(trace.getSpan(inside)).toBe(span);
    expect(trace.getSpan(insideSpan(inside, trace.wrapSpanContext(INVALID_SPAN_CONTEXT)))).not.toBe(
      span,
    );
    expect(inside.getValue(KEY)).toBe("kept");
    expect(trace.getSpan(around)).not.toBe(span);
  });

  test("gives contexts with other values, or without one", () => {
    const inside = insideSpan(around, span);
    const changed = inside.setValue(KEY, "changed");
    expect([changed.getValue(KEY), inside.getValue(KEY)]).toEqual(["changed", "kept"]);
    expect(trace.getSpan(changed)).toBe(span);
    expect(trace.getSpan(trace.deleteSpan(inside))).toBeUndefined();
    expect(trace.deleteSpan(inside).getValue(KEY)).toBe("kept");
  });
});
