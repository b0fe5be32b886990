import fc from "fast-check";
import { expect, test } from "vitest";
import { arbitrarySession } from "../fixtures/arbitrary-session.ts";
import { longSession } from "../fixtures/sessions.ts";
import { model } from "./model-view.ts";

test("a text for a model is never longer than it may be, and keeps what came last", () => {
  for (const tokens of [200, 500, 2_000]) {
    const text = model.render(longSession(20, 20), { tokens });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(tokens * 3);
    expect(text).toContain("left out, the earlier ones");
  }
  fc.assert(
    fc.property(arbitrarySession, fc.integer({ min: 100, max: 1_000 }), (session, tokens) => {
      expect(Buffer.byteLength(model.render(session, { tokens }))).toBeLessThanOrEqual(
        tokens * 3 + 100,
      );
    }),
  );
});
