import { expect, test } from "vitest";
import { createToldChats } from "./told-chats.ts";

const chat = (asked: readonly string[], answered: readonly string[]) => ({
  asked: new Set(asked),
  answered: new Set(answered),
});

test("a conversation is one of the chats when all is there that was asked, and one answer", () => {
  const told = createToldChats();
  told.add(chat(["a", "b", "c"], ["1", "2"]));
  told.add(chat(["a", "d"], ["3"]));
  const saved: readonly (readonly [string, string])[] = [
    ["ab", "1"],
    ["ab", ""],
    ["ad", "31"],
    ["ab", "3"],
    ["bd", "1"],
    ["", "1"],
    ["e", ""],
  ];
  expect(saved.map(([asked, answered]) => told.has(chat([...asked], [...answered])))).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});

test("of thousands that begin alike, few are looked at", () => {
  const told = createToldChats();
  let looks = 0;
  class Counted extends Set<string> {
    override has(words: string): boolean {
      looks++;
      return super.has(words);
    }
  }
  const fork = (n: number) => ({
    asked: new Counted(["first", "second", `asked ${n % 100}`]),
    answered: new Counted(["one", `answer ${n}`]),
  });
  for (let n = 0; n < 2_000; n++) told.add(fork(n));
  looks = 0;
  for (let n = 0; n < 2_000; n++) expect(told.has(fork(n))).toBe(true);
  expect(told.has({ ...fork(1), answered: new Set(["another"]) })).toBe(false);
  expect(looks).toBeLessThan(2_000 * 30);
});
