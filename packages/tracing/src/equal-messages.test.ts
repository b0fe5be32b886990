import { expect, test } from "vitest";
import { equalItem, keyOf as keyOfSize, plainSizeOf, rememberItem } from "./equal-messages.ts";
import type { InputItem } from "./input-item.ts";

const keyOf = (one: object) => keyOfSize(one, plainSizeOf(one));
const reader = () => undefined;
const item = (): InputItem => ({
  message: { role: "user", parts: [] },
  written: { text: undefined },
  bytes: 0,
  account: 0,
});

test("equal data has equal keys, whatever objects it is made of", () => {
  const asked = () => ({ role: "user", content: [{ type: "text", text: "a" }], n: 1, b: null });
  expect(keyOf(asked())).toBeDefined();
  expect(keyOf(asked())).toBe(keyOf(structuredClone(asked())));
  expect(keyOf(asked())).not.toBe(keyOf({ ...asked(), n: 2 }));
  expect(keyOf(Object.assign(Object.create(null), asked()))).toBe(keyOf(asked()));
});

test("what is more than data has no key", () => {
  class Message {
    readonly content = "a";
  }
  const cyclic: Record<string, unknown> = {};
  cyclic["self"] = cyclic;
  const throwing = {
    get content(): string {
      throw new Error("no content");
    },
  };
  const odd: object[] = [
    new Message(),
    { content: new Date(0) },
    { content: undefined },
    { content: [undefined] },
    { content: Number.NaN },
    { content: -0 },
    { content: 1n },
    { content: () => "a" },
    { content: { toJSON: () => "a" } },
    new Proxy(
      { content: "a" },
      {
        ownKeys: () => {
          throw new Error("no keys");
        },
      },
    ),
    cyclic,
    throwing,
  ];
  expect(odd.map(keyOf)).toEqual(odd.map(() => undefined));
  expect(keyOf({ content: "a".repeat(20_000) })).toBeUndefined();
});

test("items are remembered by reader, the latest of them", () => {
  const [kept, first] = [item(), item()];
  rememberItem(reader, "first", {}, first);
  rememberItem(reader, "kept", {}, kept);
  expect(equalItem(reader, "first")).toBe(first);
  expect(equalItem(() => undefined, "first")).toBeUndefined();
  for (let n = 0; n < 400; n++) {
    rememberItem(reader, `${n}${"x".repeat(10_000)}`, {}, item());
    expect(equalItem(reader, "kept")).toBe(kept);
  }
  expect(equalItem(reader, "first")).toBeUndefined();
});

test("an item that holds objects of the program is not remembered: they may change", () => {
  const source = { role: "user", content: [{ type: "odd", data: { a: "b" } }] };
  const [part] = source.content;
  if (part === undefined) throw new Error("no part");
  const holding = (parts: InputItem["message"]["parts"]): InputItem => ({
    ...item(),
    message: { role: "user", parts },
  });
  rememberItem(reader, "by reference", source, holding([part]));
  expect(equalItem(reader, "by reference")).toBeUndefined();
  rememberItem(reader, "a part of a part", source, holding([{ type: "odd", data: part.data }]));
  expect(equalItem(reader, "a part of a part")).toBeUndefined();
  rememberItem(reader, "copied", source, holding([structuredClone(part)]));
  expect(equalItem(reader, "copied")).toBeDefined();
});
