import { expect, test } from "vitest";
import { toldApart } from "./told-apart.ts";

const told = (texts: readonly string[], from?: "character"): readonly (string | undefined)[] => {
  const apart = toldApart(texts, 10, from);
  return texts.map((text) => apart.get(text));
};

test("texts that begin alike stand from the word on that tells them apart, with some before it where little follows", () => {
  const first = "Review the package render carefully, then tell what is wrong with it.";
  const second = "Review the package schema carefully, then tell what is wrong with it.";
  expect(told([first, second, "Write a test.", "Write it."])).toEqual([
    "…render carefully, then tell what is wrong with it.",
    "…schema carefully, then tell what is wrong with it.",
    "Write a test.",
    "Write it.",
  ]);
  expect(told(["Take the ticket with number 11", "Take the ticket with number 12"])).toEqual([
    "…ticket with number 11",
    "…ticket with number 12",
  ]);
});

test("one that is how another begins stands as it is, one that stands there twice doesn't tell anything", () => {
  const long = "Go on with the work that is left over";
  expect(told(["Go on with the work", long, "Twice.", "Twice.", ""])).toEqual([
    "Go on with the work",
    "…work that is left over",
    undefined,
    undefined,
    undefined,
  ]);
});

test("what has no words is cut at the character, and no character in its middle", () => {
  expect(told(["agent_req_011CVJ5", "agent_req_011CVRR"], "character")).toEqual(["…J5", "…RR"]);
  expect(told(["0123456789🙂", "0123456789🙃"], "character")).toEqual(["…🙂", "…🙃"]);
  const path = "/home/someone/projects/";
  expect(told([`${path}one/left/over/files`, `${path}two/left/over/files`])).toEqual([
    "…one/left/over/files",
    "…two/left/over/files",
  ]);
});
