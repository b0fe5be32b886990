import { assemble } from "@thoughtflow/assemble";
import { expect, test } from "vitest";
import { recordsOfText } from "../../../testing/imported-records.ts";
import { promptsOfCalls } from "../../../testing/prompts-of-calls.ts";
import { openaiLog } from "./openai-log.ts";

type Message = readonly [role: string, content: string];

/** Requests of one chat, one a minute, with what was answered. */
function logOf(requests: readonly (readonly [said: readonly Message[], answer: string])[]): string {
  return requests
    .map(([said, content], n) => {
      const messages = said.map(([role, text]) => ({ role, content: text }));
      const choices = [
        { index: 0, message: { role: "assistant", content }, finish_reason: "stop" },
      ];
      const line = {
        timestamp: new Date(Date.UTC(2026, 6, 6, 10, n)).toISOString(),
        request: { url: "https://x/v1/chat/completions", body: { model: "m", messages } },
        response: {
          status: 200,
          body: { id: `chatcmpl-${n}`, object: "chat.completion", choices },
        },
      };
      return `${JSON.stringify(line)}\n`;
    })
    .join("");
}

const HEAD: readonly Message[] = [
  ["system", "You are a tutor."],
  ["user", "What is a tide?"],
];
const ANSWERED: readonly Message[] = [...HEAD, ["assistant", "The sea that rises."]];
const WITHIN: readonly Message[] = [
  ...ANSWERED,
  ["system", "Say it in one sentence."],
  ["user", "Why does it?"],
];
const LATER: readonly Message[] = [
  ...WITHIN,
  ["assistant", "The moon draws it."],
  ["user", "And the sun?"],
];

const sent = (messages: readonly Message[]) =>
  messages.map(([role, text]) => (role === "system" ? `# ${text}` : text));

async function promptsOf(log: string) {
  return promptsOfCalls((await recordsOfText(openaiLog, log)).records);
}

test("instructions in the middle of a chat stand there in what every later request was sent", async () => {
  const log = logOf([
    [HEAD, "The sea that rises."],
    [WITHIN, "The moon draws it."],
    [LATER, "It does, too."],
    [[...LATER, ["assistant", "It does, too."], ["user", "Thanks."]], "Gladly."],
  ]);
  expect(await promptsOf(log)).toEqual([
    sent(HEAD),
    sent(WITHIN),
    sent(LATER),
    [...sent(LATER), "It does, too.", "Thanks."],
  ]);
});

test("of a chat of which the latest messages alone are sent no request was sent more", async () => {
  const tutor: Message = ["system", "You are a tutor."];
  const said = ["What is a tide?", "Why is it?", "And the sun?", "How often?", "Thanks."];
  const turns = said.map((text, n): readonly [Message, Message] => [
    ["user", text],
    ["assistant", `Answer ${n}.`],
  ]);
  const requests = turns.map(([asked, [, answer]], n) => {
    const chat = [...turns.slice(0, n).flat(), asked];
    return [[tutor, ...chat.slice(-4)], answer] as const;
  });
  const { records } = await recordsOfText(openaiLog, logOf(requests));
  expect(new Set(assemble(records).flatMap(({ agents = [] }) => agents)).size).toBe(1);
  expect(promptsOfCalls(records)).toEqual(requests.map(([messages]) => sent(messages)));
});

test("a request that is sent again is sent the instructions again", async () => {
  const log = logOf([
    [HEAD, "The sea that rises."],
    [WITHIN, "The moon draws it."],
    [WITHIN, "It is the moon."],
  ]);
  expect(await promptsOf(log)).toEqual([sent(HEAD), sent(WITHIN), sent(WITHIN)]);
});

test("what a program takes out again is not sent with the next request", async () => {
  const without = LATER.filter(([, text]) => text !== "Say it in one sentence.");
  const log = logOf([
    [HEAD, "The sea that rises."],
    [WITHIN, "The moon draws it."],
    [without, "It does, too."],
  ]);
  expect((await promptsOf(log)).at(-1)).toEqual(sent(without));
});
