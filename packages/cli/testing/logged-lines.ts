const T0 = Date.UTC(2026, 6, 6, 10) / 1000;

/** A request as both APIs may have it: from, to (seconds), the system prompt, what is said, what is answered; no answer where nobody logged it. */
export interface LoggedRequest {
  readonly from: number;
  readonly to: number;
  readonly system: string;
  readonly said: readonly (string | LoggedAnswer | { readonly results: readonly string[] })[];
  readonly answer?: LoggedAnswer;
}

export interface LoggedAnswer {
  readonly text: string;
  /** Prompts of sub-agents. */
  readonly tasks?: readonly (readonly [id: string, prompt: string])[];
}

/** A line of a proxy's log of Anthropic's API; `n` makes its id. */
export function anthropicLine(
  { from, to, system, said, answer }: LoggedRequest,
  n: number,
): object {
  const content = ({ text, tasks = [] }: LoggedAnswer) => [
    { type: "text", text },
    ...tasks.map(([id, prompt]) => ({ type: "tool_use", id, name: "Task", input: { prompt } })),
  ];
  const messages = said.map((one) => {
    if (typeof one === "string") return { role: "user", content: one };
    if ("text" in one) return { role: "assistant", content: content(one) };
    const results = one.results.map((id) => ({
      type: "tool_result",
      tool_use_id: id,
      content: id,
    }));
    return { role: "user", content: results };
  });
  const body = { model: "claude", max_tokens: 4096, system, tools: [{ name: "Task" }], messages };
  const usage = { input_tokens: 10, output_tokens: 1 };
  const message = { id: `msg_${n}`, type: "message", role: "assistant", model: "claude", usage };
  return {
    request: { timestamp: T0 + from, method: "POST", url: "https://x/v1/messages", body },
    ...(answer && {
      response: {
        timestamp: T0 + to,
        status_code: 200,
        body: { ...message, content: content(answer) },
      },
    }),
  };
}

/** The same of OpenAI's. */
export function openaiLine({ from, to, system, said, answer }: LoggedRequest, n: number): object {
  const message = ({ text, tasks = [] }: LoggedAnswer) => ({
    role: "assistant",
    content: text,
    ...(tasks.length > 0 && {
      tool_calls: tasks.map(([id, prompt]) => ({
        id,
        type: "function",
        function: { name: "task", arguments: JSON.stringify({ prompt }) },
      })),
    }),
  });
  const messages = said.flatMap((one): readonly object[] => {
    if (typeof one === "string") return [{ role: "user", content: one }];
    if ("text" in one) return [message(one)];
    return one.results.map((id) => ({ role: "tool", tool_call_id: id, content: id }));
  });
  const tools = [{ type: "function", function: { name: "task" } }];
  return {
    timestamp: new Date((T0 + from) * 1000).toISOString(),
    durationMs: (to - from) * 1000,
    request: {
      url: "https://api.openai.com/v1/chat/completions",
      body: { model: "gpt", tools, messages: [{ role: "system", content: system }, ...messages] },
    },
    ...(answer && {
      response: {
        status: 200,
        body: {
          id: `msg_${n}`,
          object: "chat.completion",
          model: "gpt",
          choices: [{ index: 0, finish_reason: "stop", message: message(answer) }],
        },
      },
    }),
  };
}
