import { setTimeout as wait } from "node:timers/promises";
import { readJournals } from "@thoughtflow/journal";
import { startThoughtFlow } from "@thoughtflow/node";
import OpenAI from "openai";

const answer = (number, message, finish_reason) =>
  JSON.stringify({
    id: `chatcmpl-${number}`,
    object: "chat.completion",
    created: 1,
    model: "gpt-4.1-mini-2025-04-14",
    choices: [{ index: 0, finish_reason, message: { role: "assistant", ...message } }],
    usage: { prompt_tokens: 1000, completion_tokens: 200, total_tokens: 1200 },
  });

/** Asks for two tools after a question, and answers once it has their results. */
function createFetch() {
  let number = 0;
  const call = (name, place) => ({
    id: `call_${name}_${number}`,
    type: "function",
    function: { name, arguments: JSON.stringify({ place }) },
  });
  return async (_url, { body }) => {
    number += 1;
    const text = body.endsWith('"role":"tool"}]}')
      ? answer(number, { content: `In short, number ${number}: sunny, 21 °C. `.repeat(4) }, "stop")
      : answer(
          number,
          { content: null, tool_calls: [call("get_weather", "Rome"), call("get_news", "Rome")] },
          "tool_calls",
        );
    return new Response(text, { headers: { "content-type": "application/json" } });
  };
}

/** Steps of one run: question, call, two tools and their results, call, answer. */
export const STEPS_PER_RUN = 8;

/**
 * Holds a conversation of so many runs with an instrumented openai, each a tool loop with two parallel calls, and
 * gives the records of its journal.
 */
export async function recordsOfToolLoops(runs, dir) {
  const flow = startThoughtFlow({ dir, openai: OpenAI, otlp: false });
  const client = new OpenAI({ apiKey: "none", fetch: createFetch() });
  const messages = [{ role: "system", content: "You tell travellers about the weather." }];
  const complete = async () => {
    const { choices } = await client.chat.completions.create({ model: "gpt-4.1-mini", messages });
    messages.push(choices[0].message);
    return choices[0].message.tool_calls ?? [];
  };
  for (let run = 0; run < runs; run += 1) {
    messages.push({ role: "user", content: `What about day ${run} of the journey?` });
    for (const { id, function: tool } of await complete()) {
      messages.push({ tool_call_id: id, content: `{"${tool.name}":"fine, ${run}"}`, role: "tool" });
    }
    await complete();
    await wait(0);
  }
  await flow.shutdown();
  return readJournals(dir);
}
