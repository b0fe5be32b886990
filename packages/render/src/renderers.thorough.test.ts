import fc from "fast-check";
import { expect, test } from "vitest";
import { arbitrarySession } from "../fixtures/arbitrary-session.ts";
import { renderers } from "./renderers.ts";

test.each(Object.values(renderers))(
  "$name draws any document, the same each time, and leaves it as it was",
  (renderer) => {
    fc.assert(
      fc.property(arbitrarySession, fc.constantFrom(undefined, "r1", "s1"), (session, run) => {
        const options = run === undefined ? {} : { run };
        const before = structuredClone(session);
        const drawn = renderer.render(session, options);
        expect(session).toEqual(before);
        expect(renderer.render(before, options)).toBe(drawn);
        expect(drawn.endsWith("\n")).toBe(true);
        expect(drawn).not.toMatch(/(?![\n\t])\p{Cc}|\p{Cs}/u);
      }),
      { numRuns: 80 },
    );
  },
);
