import fc from "fast-check";
import { expect, test } from "vitest";
import { createThinkingTagParser } from "./thinking-tag-parser.ts";
import { thinkingTagsIn } from "./thinking-tags-in.ts";

test.each([
  ["a <thinking>b</thinking> c", [[{}, "b"]]],
  ["<think>\nlong\n</think>\nanswer", [[{}, "\nlong\n"]]],
  [
    "<thinking type=\"planning\" id='p1' confidence=0.9>x</thinking>",
    [[{ type: "planning", id: "p1", confidence: "0.9" }, "x"]],
  ],
  ['<thinking thought="a > b &amp; &quot;c&quot;" />done', [[{ thought: 'a > b & "c"' }, ""]]],
  ['<thinking thought="x"></thinking>', [[{ thought: "x" }, ""]]],
  [
    "<thinking/><thinking>b</thinking >",
    [
      [{}, ""],
      [{}, "b"],
    ],
  ],
  [
    "<thinking>a < b </thing> </thinkingx> <thinking>c</thinking>",
    [[{}, "a < b </thing> </thinkingx> <thinking>c"]],
  ],
  ["<thinking>`</thinking>` is the end", [[{}, "`"]]],
  ["<thinking>never closed", [[{}, "never closed"]]],
  ["<thinking>cut </thin", [[{}, "cut </thin"]]],
  ["<thinker>no</thinker> <Thinking>no</Thinking> <thinking", []],
  ["write `<thinking>` and ``a ` <thinking>`` please", []],
  ["```xml\n<thinking>no</thinking>\n```\n<thinking>yes</thinking>", [[{}, "yes"]]],
  [
    "~~~\n<thinking>no</thinking>\n~~~ js\n<thinking>no</thinking>\n~~~~  \n<thinking>yes</thinking>",
    [[{}, "yes"]],
  ],
  ["   ````\n```\n<thinking>no</thinking>\n````\n<thinking>yes</thinking>", [[{}, "yes"]]],
  ["text ``` <thinking>no</thinking> ``` <thinking>yes</thinking>", [[{}, "yes"]]],
  ["a stray ` stays in its paragraph\n \n<thinking>yes</thinking>", [[{}, "yes"]]],
  ["~ <thinking>yes</thinking>", [[{}, "yes"]]],
  ["<think is a tag, as in <think>yes</think>", [[{}, "yes"]]],
  ['<think a="<">yes</think>', [[{ a: "<" }, "yes"]]],
  [
    "<think\u00a0__proto__=a constructor='b'/>",
    [[JSON.parse('{ "__proto__": "a", "constructor": "b" }'), ""]],
  ],
])("%j holds %j", (text, thoughts) => {
  expect(thinkingTagsIn(text).map((one) => [one.attributes, one.text])).toEqual(thoughts);
});

/** All that a listener is told, pieces of one text put together. */
function toldOf(chunks: readonly string[]): readonly unknown[] {
  const told: unknown[] = [];
  const parser = createThinkingTagParser({
    open: (attributes) => told.push(["open", attributes]),
    text(piece) {
      const last = told.at(-1);
      if (typeof last === "string") told[told.length - 1] = last + piece;
      else told.push(piece);
    },
    close: (isComplete) => told.push(["close", isComplete]),
  });
  for (const chunk of chunks) parser.write(chunk);
  parser.end();
  return told;
}

const piece = fc.constantFrom(
  ...[
    "<thinking>",
    "</thinking>",
    "<think>",
    "</think>",
    "</thinking ",
    "<thinking a='>' b=\"",
    '">',
  ],
  ...[
    "<thinking x=1/>",
    "```",
    "````",
    "~~~",
    "`",
    "\n",
    "\n\n",
    " ",
    "    ",
    "text",
    "a sentence that is longer than what is looked at character by character",
    "<",
    "</",
    "é👩‍🚀",
  ],
);

test("where the chunks are cut makes no difference", () => {
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 30 }),
      fc.array(fc.nat(40), { maxLength: 60 }),
      (pieces, cuts) => {
        const text = pieces.join("");
        const chunks: string[] = [];
        let at = 0;
        for (const length of cuts) {
          chunks.push(text.slice(at, at + length));
          at += length;
        }
        chunks.push(text.slice(at));
        expect(toldOf(chunks)).toEqual(toldOf([text]));
        expect(toldOf([...text])).toEqual(toldOf([text]));
      },
    ),
    { numRuns: 500 },
  );
});

test("a tag that never ends is given up and keeps nothing more of the text", () => {
  const open = `<thinking a="${"x".repeat(5_000)}`;
  expect(toldOf([...open, '"> <thinking>yes</thinking>'])).toEqual([
    ["open", {}],
    "yes",
    ["close", true],
  ]);
});
