import fc from "fast-check";

const SIGNS =
  "abc|ab|Xyz7|XYZ7|q|k|K|\u212a|s|ſ|é|É|e\u0301|ß|ẞ|İ|ı|ǆ|ǅ|Å|\u212b|Σ|ς|中文|中|_|😀|\ud83d|\ude00| |\n|.|-|$5|12345|18|\0".split(
    "|",
  );

/** Texts of few signs: accents, signs with several small letters, CJK, emoji and halves of them, what separates words. */
export const anyText: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...SIGNS), { maxLength: 12 })
  .map((pieces) => pieces.join(""));

const LITERALS = "abc|ab|Xyz7|q|k|s|é|É|ß|ǆ|Å|σ|中|_|😀| |-|18".split("|");
const CLASSES =
  String.raw`. \w \W \d \D \s \S [b-d] [^a] [^a-z] [A-Z] [xyz7] [k] [é-ü] \pL \p{Lu} [[:alpha:]] \. \$ \x41 \x{4e2d} \Qa.\E`.split(
    " ",
  );
const PLACES = String.raw`^ $ \b \B \A \z (?m:^) (?m:$)`.split(" ");
const COUNTS = "* ? + {2} {3} {0,1} {0} {1,} *? +? {2,4}?".split(" ");

/** Patterns in RE2's syntax over the same signs; with what may stand around them and how often. */
export const anyPattern: fc.Arbitrary<string> = fc.letrec<{ readonly pattern: string }>((tie) => {
  const group = fc
    .tuple(fc.constantFrom("(", "(?:", "(?i:", "(?s:"), tie("pattern"))
    .map(([opening, inner]) => `${opening}${inner})`);
  const atom = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...LITERALS) },
    { weight: 4, arbitrary: fc.constantFrom(...CLASSES) },
    { weight: 1, arbitrary: fc.constantFrom(...PLACES) },
    { weight: 1, arbitrary: group },
  );
  const part = fc.oneof(
    { weight: 2, arbitrary: atom },
    {
      weight: 1,
      arbitrary: fc.tuple(atom, fc.constantFrom(...COUNTS)).map((both) => both.join("")),
    },
  );
  const parts = fc.array(part, { minLength: 1, maxLength: 5 }).map((all) => all.join(""));
  return {
    pattern: fc.oneof(
      { depthSize: "small" },
      { weight: 3, arbitrary: parts },
      { weight: 1, arbitrary: fc.tuple(parts, parts).map((both) => both.join("|")) },
    ),
  };
}).pattern;
