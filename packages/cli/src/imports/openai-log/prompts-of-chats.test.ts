import { assemble } from "@thoughtflow/assemble";
import { expect, test } from "vitest";
import { recordsOfText } from "../../../testing/imported-records.ts";
import { promptsOfCalls } from "../../../testing/prompts-of-calls.ts";
import { openaiLog } from "./openai-log.ts";

type Message = readonly [role: string, content: string];

/** Requests of one chat, one a minute, with what was answered. */
function logOf(requests: readonly (readonly [said: readonly Message[], answer: string])[]): string {
  return logOfBodies(
    requests.map(([said, content]) => [
      said.map(([role, text]) => ({ role, content: text })),
      { role: "assistant", content },
    ]),
  );
}

function logOfBodies(requests: readonly (readonly [messages: readonly object[], object])[]) {
  return requests
    .map(([messages, message], n) => {
      const choices = [{ index: 0, message, finish_reason: "stop" }];
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

const EXAMPLES: readonly Message[] = [
  ["user", "What is 2 + 2?"],
  ["assistant", "It is 4."],
];

test.each<readonly [string, (chat: readonly Message[]) => readonly Message[]]>([
  ["the latest messages alone", (chat) => chat.slice(-4)],
  ["examples and the latest messages", (chat) => [...EXAMPLES, ...chat.slice(-4)]],
  ["the first message and the latest", (chat) => [...chat.slice(0, 1), ...chat.slice(1).slice(-4)]],
  ["the time and all of it", (chat) => [["user", `It is ${chat.length}:00.`], ...chat]],
])("of a chat of which %s are sent no request was sent more", async (_, keep) => {
  const tutor: Message = ["system", "You are a tutor."];
  const turns = Array.from({ length: 20 }, (_, n): readonly [Message, Message] => [
    ["user", `Question ${n}?`],
    ["assistant", `Answer ${n}.`],
  ]);
  const requests = turns.map(([asked, [, answer]], n) => {
    const chat = [...turns.slice(0, n).flat(), asked];
    return [[tutor, ...keep(chat)], answer] as const;
  });
  const { records } = await recordsOfText(openaiLog, logOf(requests));
  expect(new Set(assemble(records).flatMap(({ agents = [] }) => agents)).size).toBe(1);
  expect(promptsOfCalls(records)).toEqual(requests.map(([messages]) => sent(messages)));
  // What was said is told once, and what stood before it once more each time that it changed.
  const steps = assemble(records).flatMap(({ conversations }) =>
    conversations.map((run) => run.steps),
  );
  expect(steps.flat().length).toBeLessThanOrEqual(5 * turns.length + EXAMPLES.length + 1);
});

test.each([
  ["the latest messages", 4, 0],
  ["messages from what a tool gave on", 3, 0],
  ["the task and the latest messages", 4, 1],
])(
  "an agent whose tools have the provider's ids was sent %s and no more",
  async (_, last, first) => {
    const task = { role: "user", content: "Read all files." };
    const turns = Array.from({ length: 6 }, (_, n) => {
      const id = `call_${"0123456789abcdef01234567".slice(n)}`;
      const call = { id, type: "function", function: { name: "read", arguments: `{"n":${n}}` } };
      return [
        { role: "assistant", content: null, tool_calls: [call] },
        { role: "tool", tool_call_id: id, content: `file ${n}` },
      ] as const;
    });
    const chat = [task, ...turns.flat()];
    const words = [task.content, ...turns.flatMap((_, n) => [`read {"n":${n}}`, `file ${n}`])];
    const kept = <T>(all: readonly T[]): readonly T[] => [
      ...all.slice(0, first),
      ...all.slice(first).slice(-last),
    ];
    const requests = turns.map(([answer], n) => [kept(chat.slice(0, 2 * n + 1)), answer] as const);
    const { records } = await recordsOfText(openaiLog, logOfBodies(requests));
    expect(new Set(assemble(records).flatMap(({ agents = [] }) => agents)).size).toBe(1);
    expect(promptsOfCalls(records)).toEqual(turns.map((_, n) => kept(words.slice(0, 2 * n + 1))));
  },
);

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
