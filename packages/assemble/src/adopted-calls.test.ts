import type { Attributes, SpanRecord } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { callOf, say } from "../testing/record-of.ts";
import { assemble } from "./assemble.ts";

const question = say("user", "How large is it?");

function told(trace: string, service: string, attributes: Attributes) {
  return callOf(
    {
      id: trace,
      trace,
      at: Number(trace),
      until: 10 - Number(trace),
      attributes: { "gen_ai.response.id": "r", ...attributes },
      more: { scope: { name: trace }, resource: { "service.name": service } },
    },
    [question],
    [say("assistant", "42 files.")],
  );
}

test("a call that two instrumentations of one service tell of in a trace each is one; of two services, or of other tokens, are two", () => {
  const count = (...records: readonly SpanRecord[]) => assemble(records)[0]?.totals?.model_calls;
  const tokens = (count: number) => ({ "gen_ai.usage.input_tokens": count });
  expect(count(told("1", "a", {}), told("2", "a", {}))).toBe(1);
  expect(count(told("1", "a", {}), told("2", "b", {}))).toBe(2);
  expect(count(told("1", "a", tokens(3)), told("2", "a", {}))).toBe(1);
  expect(count(told("1", "a", tokens(3)), told("2", "a", tokens(4)))).toBe(2);
  const cached = { ...tokens(103), "gen_ai.usage.cache_read.input_tokens": 100 };
  expect(count(told("1", "a", tokens(3)), told("2", "a", cached))).toBe(1);
});
