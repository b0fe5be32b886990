import { createHash } from "node:crypto";
import { canonicalChunks, canonicalJson } from "@thoughtflow/schema/canonical";
import { expect, test } from "vitest";
import { callOf, say } from "../testing/record-of.ts";
import { withStoredTexts } from "../testing/stored-texts.ts";
import { sessionOf } from "../testing/story-of.ts";
import { largeTexts, mayHoldLargeTexts, withoutLargeTexts } from "./large-texts.ts";

test("a text above 1 MiB stands beside the document, under its hash", () => {
  const text = "ä".repeat(600_000);
  const records = [callOf({ id: "a" }, [say("user", text)], [say("assistant", "Long.")])];
  const session = sessionOf(records);
  const sha256 = createHash("sha256").update(text).digest("hex");
  expect([...largeTexts(session)]).toEqual([{ sha256, text }]);
  const written = [...canonicalChunks(session, withoutLargeTexts)].join("");
  expect(JSON.parse(written).conversations[0].steps[0].payload_started).toEqual({
    text: { $blob: { sha256, bytes: 1_200_000, media_type: "text/plain; charset=utf-8" } },
  });
  expect(written.length).toBeLessThan(10_000);
});

test("a session without large texts is written as it is", () => {
  const session = sessionOf([callOf({ id: "a" }, [say("user", "hi")])]);
  expect([...largeTexts(session)]).toEqual([]);
  expect([...canonicalChunks(session, withoutLargeTexts)].join("")).toBe(canonicalJson(session));
});

test("records tell whether a text could be large, also where it is stored", () => {
  const small = [callOf({ id: "a" }, [say("user", "hi")])];
  const large = [callOf({ id: "a" }, [say("user", "x".repeat(2 ** 20))])];
  expect([small, large].map((one) => mayHoldLargeTexts(one))).toEqual([false, true]);
  expect([small, large].map((one) => mayHoldLargeTexts(withStoredTexts(one)))).toEqual([
    false,
    true,
  ]);
});

test("what went wrong may be as long: it stands in the payload of a tool, too", () => {
  const message = "x".repeat(2 ** 20);
  const call = callOf({ id: "a" }, [say("user", "hi")]);
  const failed = { ...call, status: { code: "error", message } as const };
  const event = { name: "exception", timeUnixNano: call.startTimeUnixNano };
  const thrown = { ...call, events: [{ ...event, attributes: { "exception.message": message } }] };
  expect([failed, thrown].map((one) => mayHoldLargeTexts([one]))).toEqual([true, true]);
});
