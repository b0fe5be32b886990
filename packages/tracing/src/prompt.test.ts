import fc from "fast-check";
import { expect, test } from "vitest";
import { composePrompt } from "./index.ts";

const part = fc.record({ type: fc.string(), value: fc.string({ unit: "grapheme" }) });

test("every part of a composed prompt is found at its range", () => {
  fc.assert(
    fc.property(fc.array(part), fc.array(part), fc.string(), (parts, beside, separator) => {
      const { final_prompt, assembly, ...rest } = composePrompt(parts, { separator, beside });
      expect(rest.parts).toEqual([...parts, ...beside]);
      expect(final_prompt).toBe(parts.map(({ value }) => value).join(separator));
      expect(assembly.map((range) => final_prompt.slice(range.start, range.end))).toEqual(
        parts.map(({ value }) => value),
      );
    }),
  );
});
