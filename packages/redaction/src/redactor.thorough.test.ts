import { expect, test } from "vitest";
import { defaultRedactor } from "./redactor.ts";

function copy(value: unknown): unknown {
  return defaultRedactor.value(value, "gen_ai.input.messages");
}

test("gives an answer for objects that throw, turn in circles or never end", () => {
  const circular: Record<string, unknown> = { name: "a" };
  circular["self"] = circular;
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  const throws = () => {
    throw new Error("no");
  };
  const value = {
    circular,
    revoked: revoked.proxy,
    toJSON: { toJSON: throws },
    getter: Object.defineProperty({ kept: 1 }, "broken", { get: throws, enumerable: true }),
    keys: new Proxy({}, { ownKeys: throws }),
    [Symbol.iterator]: throws,
  };
  expect(copy({ value })).toEqual({
    value: {
      circular: { name: "a", self: "[circular]" },
      revoked: "[unreadable]",
      toJSON: "[unreadable]",
      getter: { kept: 1, broken: "[unreadable]" },
      keys: "[unreadable]",
    },
  });

  let shared: unknown = "end";
  for (let level = 0; level < 40; level++) shared = [shared, shared];
  expect(JSON.stringify(copy(shared))).toContain("[truncated: size]");
  let deep: unknown = "end";
  for (let level = 0; level < 100_000; level++) deep = [deep];
  expect(JSON.stringify(copy(deep))).toContain("[truncated: depth]");
  expect(JSON.stringify(copy(new Array(2 ** 32 - 1)))).toContain("[truncated: size]");
});
