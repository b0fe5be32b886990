import { expect, test } from "vitest";
import { createTeams } from "./teams.ts";

test("a member that was asked for again has its sessions one after the other", () => {
  const session = (sessionId: string, name: string) => ({ sessionId, name, team: "t" });
  const teams = createTeams([session("1", "a"), session("2", "b"), session("3", "a")]);
  const next = (): string | undefined => teams.next("a@t")?.sessionId;
  expect([next(), next(), next(), teams.next("c@t")]).toEqual(["1", "3", undefined, undefined]);
});

/** How often the name of a member is read until all of a team are found. */
function readsOf(count: number): number {
  let reads = 0;
  const members = Array.from({ length: count }, (_, n) => ({
    ...{ sessionId: `s${n}`, team: "t" },
    get name() {
      reads++;
      return `m${n}`;
    },
  }));
  const teams = createTeams(members);
  for (let n = count - 1; n >= 0; n--) expect(teams.next(`m${n}@t`)?.sessionId).toBe(`s${n}`);
  return reads;
}

test("a member of a large team is found by its name, not among all the others", () => {
  expect(readsOf(4_000)).toBe(4 * readsOf(1_000));
});
