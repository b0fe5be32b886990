import { assemble } from "@thoughtflow/assemble";
import { canonicalJson } from "@thoughtflow/schema/canonical";
import { createRandom } from "@thoughtflow/testkit";
import { expect } from "vitest";
import { anySession } from "./any-session.ts";
import { documentInStretches } from "./document-in-stretches.ts";

/** Compares the documents of so many sessions, made in stretches, with those made in one piece; a quarter of them can be made so. */
export function compareStretches(sessions: number): void {
  let apart = 0;
  for (let seed = 1; seed <= sessions; seed++) {
    const records = anySession(createRandom(seed));
    const written = documentInStretches(records);
    if (written === undefined) continue;
    apart++;
    const whole = assemble(records).find(({ session_id: id }) => id === "s");
    expect(written, `seed ${seed}`).toBe(whole && canonicalJson(whole));
  }
  expect(apart).toBeGreaterThan(sessions / 4);
}
