import type { Answer, AnyRequest, Said } from "./any-request-log.ts";

/** How a program writes what it sends, drawn for each log. */
export interface LineHabits {
  readonly isStreamed: boolean;
  readonly hasBlocks: boolean;
  readonly hasReminders: boolean;
  readonly movesCacheMarks: boolean;
  readonly keepsThoughts: boolean;
  readonly mergesMessages: boolean;
  readonly namesSessions: boolean;
  readonly namesAgents: boolean;
  /** `previous_response_id`. */
  readonly namesAnswers: boolean;
  /** Ids of responses as OpenAI makes them, and not as other servers do. */
  readonly hasProviderIds: boolean;
}

export function anyHabits(random: () => number): LineHabits {
  const often = (): boolean => random() < 0.5;
  return {
    isStreamed: often(),
    hasBlocks: often(),
    hasReminders: often(),
    movesCacheMarks: often(),
    keepsThoughts: often(),
    mergesMessages: often(),
    namesSessions: often(),
    namesAgents: often(),
    namesAnswers: often(),
    hasProviderIds: often(),
  };
}

/** Makes a line of each request of a log. */
export type WriteLine = (
  request: AnyRequest,
  habits: LineHabits,
  all: readonly AnyRequest[],
) => object;

/** The tokens of an answer: of input, of that from the cache, and of output. */
export function tokensOf({ number, outcome }: AnyRequest) {
  if (outcome === "failed") return { input: 0, cached: 0, output: 0 };
  return { input: 100 + 11 * number, cached: 10 * number, output: 7 + number };
}

const idOf = ({ number }: AnyRequest): string => `msg_${String(number).padStart(20, "0")}`;

/** As claude-trace logs a program that speaks with the Messages API. */
export const anthropicLog: WriteLine = (request, habits) => {
  const { said, system, hasTools, model, maxTokens } = request;
  const { isStreamed, hasBlocks, hasReminders, movesCacheMarks, namesSessions, namesAgents } =
    habits;
  const mark = movesCacheMarks ? { cache_control: { type: "ephemeral" } } : {};
  const messages: { role: string; content: object[] }[] = [];
  for (const one of said) {
    const role = one.role === "assistant" ? "assistant" : "user";
    const content = blocksOf(one, habits);
    const last = messages.at(-1);
    if (habits.mergesMessages && last?.role === role) last.content.push(...content);
    else messages.push({ role, content });
  }
  if (hasReminders) {
    const reminder = (text: string) => ({
      type: "text",
      text: `<system-reminder>\n${text}\n</system-reminder>`,
    });
    messages[0]?.content.unshift(reminder(`The date of request ${request.number}.`));
    const last = messages.at(-1);
    if (last?.role === "user") last.content.push(reminder("Your list of what to do is empty."));
  }
  const marked = messages.map(({ role, content }, at) => {
    const isMarked = at >= messages.length - 2;
    const [only] = content as { type: string; text?: string }[];
    if (
      !hasBlocks &&
      content.length === 1 &&
      only?.type === "text" &&
      !(isMarked && movesCacheMarks)
    )
      return { role, content: only.text };
    return {
      role,
      content: content.map((block, n) =>
        isMarked && n === content.length - 1 ? { ...block, ...mark } : block,
      ),
    };
  });
  const user = namesSessions ? `user_x_account__session_${sessionOf(request)}` : undefined;
  const body = {
    model,
    max_tokens: maxTokens,
    ...(system !== "" && {
      system: hasBlocks ? [{ type: "text", text: system, ...mark }] : system,
    }),
    ...(hasTools && { tools: TOOLS.map((name) => ({ name, input_schema: { type: "object" } })) }),
    messages: marked,
    ...(user !== undefined && { metadata: { user_id: user } }),
    ...(isStreamed && { stream: true }),
  };
  const headers =
    namesAgents && request.agentName !== undefined
      ? { "x-claude-code-agent-id": request.agentName }
      : {};
  const response = anthropicAnswer(request, isStreamed);
  return {
    request: {
      ...{ timestamp: request.startMs / 1000, method: "POST" },
      ...{ url: "https://api.anthropic.com/v1/messages", headers, body },
    },
    response: response && { timestamp: request.endMs / 1000, ...response },
    logged_at: new Date(request.endMs).toISOString(),
  };
};

const TOOLS = ["look", "Task", "ask_agent"];

function sessionOf({ program }: AnyRequest): string {
  return `0000000${program}-1111`;
}

function blocksOf(one: Said, { keepsThoughts }: LineHabits): object[] {
  if (one.role === "user") return [{ type: "text", text: one.text }];
  if (one.role === "assistant") return answerBlocks(one.answer, keepsThoughts);
  return one.results.map(({ id, text, isError }) => ({
    ...{ type: "tool_result", tool_use_id: id, content: text },
    ...(isError && { is_error: true }),
  }));
}

function answerBlocks({ thought, text, calls }: Answer, hasThought: boolean): object[] {
  return [
    ...(hasThought && thought !== undefined
      ? [{ type: "thinking", thinking: thought, signature: "x" }]
      : []),
    ...(text === "" ? [] : [{ type: "text", text }]),
    ...calls.map(({ id, name, args }) => ({ type: "tool_use", id, name, input: args })),
  ];
}

const OVERLOADED = { type: "overloaded_error", message: "Overloaded" };

function anthropicAnswer(request: AnyRequest, isStreamed: boolean): object | undefined {
  const { outcome, answer, model } = request;
  if (outcome === "untold") return undefined;
  if (outcome === "failed" || (outcome === "overloaded" && !isStreamed))
    return { status_code: 529, body: { type: "error", error: OVERLOADED } };
  const { input, cached, output } = tokensOf(request);
  const usage = { input_tokens: input - cached, cache_read_input_tokens: cached, output_tokens: 1 };
  const head = { id: idOf(request), type: "message", role: "assistant", model };
  const stop = answer.calls.length > 0 ? "tool_use" : "end_turn";
  const content = answerBlocks(answer, true);
  if (!isStreamed && outcome === "answered") {
    const body = {
      ...head,
      content,
      stop_reason: stop,
      usage: { ...usage, output_tokens: output },
    };
    return { status_code: 200, body };
  }
  const events: object[] = [{ type: "message_start", message: { ...head, content: [], usage } }];
  for (const [index, block] of content.entries()) {
    const { text, input: args, thinking, ...rest } = block as Record<string, unknown>;
    const delta =
      text !== undefined
        ? { type: "text_delta", text }
        : args !== undefined
          ? { type: "input_json_delta", partial_json: JSON.stringify(args) }
          : { type: "thinking_delta", thinking };
    const empty = text !== undefined ? { text: "" } : args !== undefined ? { input: {} } : {};
    events.push({ type: "content_block_start", index, content_block: { ...rest, ...empty } });
    events.push({ type: "content_block_delta", index, delta });
    if (outcome === "answered") events.push({ type: "content_block_stop", index });
  }
  if (outcome === "overloaded") events.push({ type: "error", error: OVERLOADED });
  if (outcome === "answered")
    events.push(
      ...[
        { type: "message_delta", delta: { stop_reason: stop }, usage: { output_tokens: output } },
      ],
      { type: "message_stop" },
    );
  const raw = events.map((one) => `event: ${(one as { type: string }).type}\n${dataOf(one)}`);
  return { status_code: 200, body_raw: raw.join("") };
}

function dataOf(event: object): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}

/** As a program logs what it asks of the chat completions API. */
export const chatLog: WriteLine = (request, habits) => {
  const { said, system, hasTools, model, maxTokens } = request;
  const messages = said.flatMap((one): readonly object[] => {
    if (one.role === "assistant") return [chatMessage(one.answer, habits.keepsThoughts)];
    if (one.role === "tool")
      return one.results.map(({ id, text }) => ({ role: "tool", tool_call_id: id, content: text }));
    const content = habits.hasBlocks ? [{ type: "text", text: one.text }] : one.text;
    return [{ role: "user", content }];
  });
  const body = {
    model,
    max_completion_tokens: maxTokens,
    messages: system === "" ? messages : [{ role: "system", content: system }, ...messages],
    ...(hasTools && { tools: TOOLS.map((name) => ({ type: "function", function: { name } })) }),
    ...(habits.namesSessions && { metadata: { session_id: sessionOf(request) } }),
    ...(habits.isStreamed && { stream: true }),
  };
  return openaiLine(request, "chat/completions", body, chatAnswer(request, habits));
};

function chatMessage({ thought, text, calls }: Answer, hasThought: boolean): object {
  return {
    role: "assistant",
    content: text === "" ? null : text,
    ...(hasThought && thought !== undefined && { reasoning_content: thought }),
    ...(calls.length > 0 && {
      tool_calls: calls.map(({ id, name, args }) => ({
        ...{ id, type: "function", function: { name, arguments: JSON.stringify(args) } },
      })),
    }),
  };
}

function openaiLine(request: AnyRequest, path: string, body: object, response: object | undefined) {
  return {
    timestamp: new Date(request.startMs).toISOString(),
    durationMs: request.endMs - request.startMs,
    request: { method: "POST", url: `https://api.openai.com/v1/${path}`, body },
    response,
  };
}

const FAILED = {
  status: 429,
  body: { error: { type: "rate_limit_exceeded", message: "Slow down", code: "rate_limit" } },
};

function chatAnswer(request: AnyRequest, { isStreamed }: LineHabits): object | undefined {
  const { outcome, answer, model } = request;
  if (outcome === "untold") return undefined;
  if (outcome === "failed" || (outcome === "overloaded" && !isStreamed)) return FAILED;
  const { input, cached, output } = tokensOf(request);
  const usage = {
    ...{ prompt_tokens: input, completion_tokens: output },
    prompt_tokens_details: { cached_tokens: cached },
  };
  const head = { id: idOf(request), model };
  const reason = answer.calls.length > 0 ? "tool_calls" : "stop";
  const { tool_calls: calls = [], ...message } = chatMessage(answer, true) as {
    tool_calls?: object[];
  };
  if (!isStreamed && outcome === "answered") {
    const whole = { ...message, ...(calls.length > 0 && { tool_calls: calls }) };
    const choices = [{ index: 0, message: whole, finish_reason: reason }];
    return { status: 200, body: { ...head, object: "chat.completion", choices, usage } };
  }
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    ...{ ...head, object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason }] },
  });
  const chunks = [
    chunk(message),
    ...calls.map((call, index) => chunk({ tool_calls: [{ index, ...call }] })),
    ...(outcome === "overloaded" ? [{ error: { type: "server_error", message: "Gone" } }] : []),
    ...(outcome === "answered"
      ? [chunk({}, reason), { ...head, object: "chat.completion.chunk", choices: [], usage }]
      : []),
  ];
  const end = outcome === "answered" ? "data: [DONE]\n\n" : "";
  return { status: 200, body: chunks.map(dataOf).join("") + end };
}

/** OpenAI's: equal in the beginning for those that go on from each other, and with the second in which it was made. */
function responseIdOf(request: AnyRequest, { hasProviderIds }: LineHabits): string {
  if (!hasProviderIds) return idOf(request);
  const { agent, number, startMs } = request;
  const hex = (value: number, digits: number) => value.toString(16).padStart(digits, "0");
  const seconds = Math.floor((startMs + 100) / 1000);
  return `resp_${hex(agent, 16)}00${hex(seconds, 8)}${hex(number, 24)}`;
}

/** As a program logs what it asks of the Responses API. */
export const responsesLog: WriteLine = (request, habits, all) => {
  const { said, system, hasTools, model, maxTokens, before } = request;
  const previous = habits.namesAnswers && before !== undefined ? all[before] : undefined;
  const named = previous?.outcome === "answered" ? previous : undefined;
  const news = named === undefined ? said : said.slice(named.said.length + 1);
  const body = {
    model,
    max_output_tokens: maxTokens,
    ...(system !== "" && { instructions: system }),
    ...(hasTools && { tools: TOOLS.map((name) => ({ type: "function", name, parameters: {} })) }),
    ...(named !== undefined && { previous_response_id: responseIdOf(named, habits) }),
    ...(habits.namesSessions && { metadata: { session_id: sessionOf(request) } }),
    input: news.flatMap((one): readonly object[] => {
      if (one.role === "assistant") return responsesItems(one.answer, habits.keepsThoughts);
      if (one.role === "tool")
        return one.results.map(({ id, text }) => ({
          ...{ type: "function_call_output", call_id: id, output: text },
        }));
      const content = habits.hasBlocks ? [{ type: "input_text", text: one.text }] : one.text;
      return [{ role: "user", content }];
    }),
  };
  return openaiLine(request, "responses", body, responsesAnswer(request, habits));
};

function responsesItems({ thought, text, calls }: Answer, hasThought: boolean): object[] {
  return [
    ...(hasThought && thought !== undefined
      ? [{ type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: thought }] }]
      : []),
    ...(text === ""
      ? []
      : [{ type: "message", role: "assistant", content: [{ type: "output_text", text }] }]),
    ...calls.map(({ id, name, args }) => ({
      ...{ type: "function_call", call_id: id, name, arguments: JSON.stringify(args) },
    })),
  ];
}

function responsesAnswer(request: AnyRequest, habits: LineHabits): object | undefined {
  const { isStreamed } = habits;
  const { outcome, answer, model } = request;
  if (outcome === "untold") return undefined;
  if (outcome === "failed" || (outcome === "overloaded" && !isStreamed)) return FAILED;
  const { input, cached, output } = tokensOf(request);
  const usage = {
    ...{ input_tokens: input, output_tokens: output, total_tokens: input + output },
    input_tokens_details: { cached_tokens: cached },
  };
  const head = { id: responseIdOf(request, habits), object: "response", model };
  const items = responsesItems(answer, true);
  const whole = { ...head, status: "completed", output: items, usage };
  if (!isStreamed && outcome === "answered") return { status: 200, body: whole };
  const events = [
    { type: "response.created", response: { ...head, status: "in_progress", output: [] } },
    ...items.map((item, output_index) => ({
      type: "response.output_item.done",
      output_index,
      item,
    })),
    ...(outcome === "overloaded"
      ? [
          {
            type: "response.failed",
            response: {
              ...head,
              status: "failed",
              error: { code: "server_error", message: "Gone" },
              output: [],
            },
          },
        ]
      : []),
    ...(outcome === "answered" ? [{ type: "response.completed", response: whole }] : []),
  ];
  return { status: 200, body: events.map(dataOf).join("") };
}
