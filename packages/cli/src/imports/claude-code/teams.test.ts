import { expect, test } from "vitest";
import { createTeams } from "./teams.ts";

test("a member that was asked for again has its sessions one after the other", () => {
  const session = (sessionId: string, name: string) => ({ sessionId, name, team: "t" });
  const teams = createTeams([session("1", "a"), session("2", "b"), session("3", "a")]);
  const next = (): string | undefined => teams.next("a@t")?.sessionId;
  expect([next(), next(), next(), teams.next("c@t")]).toEqual(["1", "3", undefined, undefined]);
});

test("members of a large team are found in no time", () => {
  const members = Array.from({ length: 20_000 }, (_, n) => ({
    ...{ sessionId: `s${n}`, name: `m${n}`, team: "t" },
  }));
  const teams = createTeams(members);
  const before = performance.now();
  for (const { name, sessionId } of members.toReversed())
    expect(teams.next(`${name}@t`)?.sessionId).toBe(sessionId);
  expect(performance.now() - before).toBeLessThan(2_000);
});
