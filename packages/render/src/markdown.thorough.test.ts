import { expect, test } from "vitest";
import { longSession } from "../fixtures/sessions.ts";
import { markdown } from "./markdown.ts";

test("of thousands of runs says that their steps are left out", () => {
  const many = markdown.render(longSession(2_000, 2));
  expect(many).toMatch(/… and [\d,]+ more runs\./);
  expect(many).toContain("Too long to show any step");
});

test("fits where code hosts take it", () => {
  const agents = Array.from({ length: 40 }, (_, nth) => ({
    agent_id: `a${nth}`,
    name: `${nth} ${"as long as a name may be ".repeat(200)}`,
  }));
  const named = { ...longSession(1, 2), agents };
  for (const session of [longSession(1, 400), longSession(60, 20), longSession(2000, 1), named]) {
    expect(markdown.render(session).length).toBeLessThan(65_536);
  }
});
