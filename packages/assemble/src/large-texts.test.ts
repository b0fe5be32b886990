import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { callOf, say } from "../testing/record-of.ts";
import { sessionOf } from "../testing/story-of.ts";
import { splitLargeTexts } from "./large-texts.ts";

test("a text above 1 MiB stands beside the document, under its hash", () => {
  const text = "ä".repeat(600_000);
  const session = sessionOf([
    callOf({ id: "a" }, [say("user", text)], [say("assistant", "Long.")]),
  ]);
  const split = splitLargeTexts(session);
  const sha256 = createHash("sha256").update(text).digest("hex");
  expect([...split.blobs]).toEqual([[sha256, text]]);
  expect(split.session.conversations[0]?.steps[0]?.payload_started).toEqual({
    text: { $blob: { sha256, bytes: 1_200_000, media_type: "text/plain; charset=utf-8" } },
  });
  expect(JSON.stringify(split.session).length).toBeLessThan(10_000);
});

test("a session without large texts is returned as it is", () => {
  const session = sessionOf([callOf({ id: "a" }, [say("user", "hi")])]);
  expect(splitLargeTexts(session)).toEqual({ session, blobs: new Map() });
  expect(splitLargeTexts(session).session).toBe(session);
});
