import { createHash } from "node:crypto";
import type { PromptMakeup } from "@thoughtflow/semconv";
import { expect, test } from "vitest";
import { callOf, recordOf, say } from "../testing/record-of.ts";
import { sessionOf, storyOf } from "../testing/story-of.ts";

const hashOf = (text: string): string =>
  createHash("sha256").update(text).digest("hex").slice(0, 16);

/** A prompt of one system message, its parts on lines of their own. */
function makeup(parts: readonly (readonly [type: string, text: string, id?: string])[]) {
  const final_prompt = parts.map(([, text]) => text).join("\n");
  let at = 0;
  const made: PromptMakeup = {
    final_prompt,
    messages: [{ role: "system", start: 0, end: final_prompt.length }],
    parts: parts.map(([type, text, id]) => {
      const start = at;
      at += text.length + 1;
      return { type, ...(id && { id }), hash: hashOf(text), start, end: start + text.length };
    }),
  };
  return made;
}

const call = (id: string, at: number, prompt: unknown) =>
  callOf(
    { id, parent: "f", at, content: { "thoughtflow.prompt": prompt } },
    [say("system", (prompt as PromptMakeup)?.final_prompt ?? ""), say("user", "Hi.")],
    [say("assistant", "Hello.")],
  );

const time = (clock: string) =>
  makeup([
    ["channel_preamble", "Write plain text. ⏱"],
    ["context_preamble", `It is ${clock}.`],
    ["prompt_adaptations", "Say the unit.", "adn"],
    ["personality", "You are kind."],
  ]);

test("a call rests on the lasting parts of its prompt, each a step once, and on the steps that parts name", () => {
  const adaptations = recordOf({
    id: "d",
    parent: "f",
    at: 0.5,
    attributes: { "thoughtflow.step.label": "prompt.adaptations", "thoughtflow.step.id": "adn" },
  });
  const records = [
    recordOf({ id: "f", until: 9 }),
    adaptations,
    call("a", 1, time("8:00")),
    call("b", 3, time("8:05")),
  ];
  expect(storyOf(records)).toEqual([
    "run r_f completed",
    "prompt.adaptations adn",
    "channel.preamble snp_channel",
    "context.preamble snp_context",
    "policy.snapshot snp_policy",
    "user_message s_a.u1",
    "assistant_call s_a <- snp_channel snp_context adn snp_policy s_a.u1",
    "assistant_message s_a.m1 <- s_a",
    "context.preamble snp_context",
    "assistant_call s_b <- snp_channel snp_context adn snp_policy s_a.u1",
    "assistant_message s_b.m1 <- s_b",
  ]);
});

test("the document says what the prompt was made of, once for each text, in characters and bytes", () => {
  const prompt = time("8:00");
  const records = [recordOf({ id: "f", until: 9 }), call("a", 1, prompt), call("b", 3, prompt)];
  const [first, second] = sessionOf(records).conversations.flatMap((run) =>
    run.steps.filter(({ label }) => label === "assistant_call"),
  );
  expect(first?.payload_started?.["prompt_provenance"]).toEqual({
    parts: [
      {
        type: "channel_preamble",
        value: "Write plain text. ⏱",
        hash: hashOf("Write plain text. ⏱"),
      },
      { type: "context_preamble", value: "It is 8:00.", hash: hashOf("It is 8:00.") },
      {
        type: "prompt_adaptations",
        value: "Say the unit.",
        id: "adn",
        hash: hashOf("Say the unit."),
      },
      { type: "personality", value: "You are kind.", hash: hashOf("You are kind.") },
    ],
    final_prompt: prompt.final_prompt,
    assembly: [
      { part: 0, start: 0, end: 19, start_byte: 0, end_byte: 21 },
      { part: 1, start: 20, end: 31, start_byte: 22, end_byte: 33 },
      { part: 2, start: 32, end: 45, start_byte: 34, end_byte: 47 },
      { part: 3, start: 46, end: 59, start_byte: 48, end_byte: 61 },
    ],
    messages: [{ role: "system", start: 0, end: 59 }],
  });
  expect(second?.payload_started?.["prompt_provenance"]).toMatchObject({
    final_prompt_of: "s_000000000000000a",
  });
  expect(second?.payload_started?.["prompt_provenance"]).not.toHaveProperty("final_prompt");
});

test.each([
  [undefined],
  ["text"],
  [{ final_prompt: 7, messages: [], parts: [] }],
  [{ final_prompt: "x", messages: {}, parts: [] }],
])("a prompt that nobody can read is none: %j", (prompt) => {
  const records = [recordOf({ id: "f", until: 9 }), call("a", 1, prompt)];
  const [step] = sessionOf(records).conversations[0]?.steps.slice(-2) ?? [];
  expect(step?.payload_started).not.toHaveProperty("prompt_provenance");
});

test("what can't be a part of the prompt is left out", () => {
  const { parts, ...prompt } = makeup([["policy", "Be brief."]]);
  const wrong = [null, 7, { type: "a" }, { type: "a", hash: "0", start: 5, end: 99 }];
  const records = [
    recordOf({ id: "f", until: 9 }),
    call("a", 1, { ...prompt, parts: [...wrong, ...parts] }),
  ];
  const steps = sessionOf(records).conversations[0]?.steps ?? [];
  expect(steps.find(({ label }) => label === "assistant_call")?.payload_started).toMatchObject({
    prompt_provenance: { parts: [{ type: "policy" }], assembly: [{ part: 0, start: 0, end: 9 }] },
  });
});
