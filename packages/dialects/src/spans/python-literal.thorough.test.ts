import { expect, test } from "vitest";
import { LONGEST_LITERAL, pythonLiteral } from "./python-literal.ts";

/** How often a text of so many characters is looked at until it is read. */
function looksAt(length: number): number {
  let looks = 0;
  class WatchedText extends String {
    override charCodeAt(at: number): number {
      looks++;
      return super.charCodeAt(at);
    }
    override startsWith(sign: string, at: number): boolean {
      looks++;
      return super.startsWith(sign, at);
    }
    /** What a pattern is looked for in. */
    override toString(): string {
      looks++;
      return super.toString();
    }
  }
  const count = length / 2 - 4;
  const text = new WatchedText(`f(a=[${"1,".repeat(count)}])`);
  expect(pythonLiteral(text as string)).toEqual({ a: Array(count).fill(1) });
  return looks;
}

test("each piece of the longest text that is read is looked at as often as of a shorter one", () => {
  expect(looksAt(LONGEST_LITERAL) / looksAt(LONGEST_LITERAL / 4)).toBeCloseTo(4, 2);
});
