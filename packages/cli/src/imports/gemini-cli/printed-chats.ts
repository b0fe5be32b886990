import type { GenAiPart } from "@thoughtflow/semconv";
import { toText } from "@thoughtflow/semconv";
import { beginsDocument, isOfLines, jsonLines, type UnreadableLine } from "../json-lines.ts";
import { jsonOf } from "../json-of.ts";
import { countOf, membersOf, type PlainObject, textOf, timeOf } from "../plain-values.ts";
import type { SourceFile } from "../source-file.ts";
import { isChat, isChatMessage } from "./recognise.ts";
import { type ChatMessage, type ChatToolCall, LEFT, usageOf } from "./records.ts";
import { isPrintedAnswer, isStreamEvent } from "./stream-events.ts";

/** What one process printed, as the messages of a chat. */
export interface PrintedChat {
  readonly id: string;
  /** When it began; 0 where nobody tells. */
  readonly ms: number;
  readonly messages: readonly ChatMessage[];
  readonly odd: readonly UnreadableLine[];
}

/** The chats that were printed into a file; `undefined` where the file is none of that. */
export async function printedChats(
  file: SourceFile,
  countLosses: (value: PlainObject) => void,
): Promise<readonly PrintedChat[] | undefined> {
  if (await holdsEvents(file)) return streamedChats(file, countLosses);
  if (await isOfLines(file)) return undefined;
  const value = jsonOf(await file.text());
  if (!isPrintedAnswer(value)) return undefined;
  countLosses(value);
  return [answerOf(value)];
}

/** By the first line that tells. */
async function holdsEvents(file: SourceFile): Promise<boolean> {
  for await (const line of jsonLines(file)) {
    if ("problem" in line) {
      if (beginsDocument(line.text)) return false;
      continue;
    }
    if (isStreamEvent(line.record)) return true;
    if (isChat(line.record) || isChatMessage(line.record)) return false;
  }
  return false;
}

type Open<T> = { -readonly [K in keyof T]: T[K] };

/** A chat while its events come in. */
interface OpenChat extends Open<Omit<PrintedChat, "messages" | "odd">> {
  readonly messages: Open<ChatMessage>[];
  readonly odd: UnreadableLine[];
  model: string | undefined;
  /** It has said what came of it. */
  isDone: boolean;
}

async function streamedChats(
  file: SourceFile,
  countLosses: (value: PlainObject) => void,
): Promise<readonly PrintedChat[]> {
  const newChat = (id: string, ms: number, model?: string): OpenChat => ({
    id,
    ms,
    model,
    isDone: false,
    messages: [],
    odd: [],
  });
  let open = newChat(file.name.replace(/^.*[\\/]|\.\w+$/g, ""), 0);
  const chats = [open];
  for await (const line of jsonLines(file)) {
    if ("problem" in line) {
      open.odd.push(line);
      continue;
    }
    const { record, number } = line;
    if (!isStreamEvent(record)) {
      open.odd.push({ ...line, problem: "it is no event of a stream" });
      continue;
    }
    countLosses(record);
    const ms = timeOf(record["timestamp"]) ?? open.ms;
    if (record["type"] === "init") {
      const begun = newChat(toText(record["session_id"]), ms, textOf(record["model"]));
      if (open.ms === 0 && open.messages.length === 0) {
        begun.odd.push(...open.odd);
        chats.pop();
      }
      open = begun;
      chats.push(begun);
    } else take(open, record, ms, number);
  }
  for (const { messages, isDone } of chats) {
    const last = messages.at(-1);
    if (!isDone && last !== undefined) messages.push({ ...last, type: LEFT });
  }
  return chats;
}

/** Adds what an event tells to the messages. */
function take(chat: OpenChat, event: PlainObject, ms: number, number: number): void {
  const last = chat.messages.at(-1);
  const message = (type: string, parts: readonly GenAiPart[], more: Partial<ChatMessage> = {}) => {
    const made = { ...newMessage(chat, type, ms, number), parts, ...more };
    chat.messages.push(made);
    return made;
  };
  /** The answer that is being given: what follows the result of a tool is another one. */
  const answer = (): Open<ChatMessage> =>
    last?.type === "gemini" && last.toolCalls.every(({ status }) => status === undefined)
      ? Object.assign(last, { ms })
      : message("gemini", [], { model: chat.model });
  switch (event["type"]) {
    case "message": {
      const content = toText(event["content"]);
      if (event["role"] === "user") message("user", [{ type: "text", content }]);
      else {
        const open = answer();
        open.parts = withText(open.parts, content);
      }
      return;
    }
    case "tool_use": {
      const open = answer();
      open.toolCalls = [...open.toolCalls, calledBy(event)];
      return;
    }
    case "tool_result": {
      const id = event["tool_id"];
      const asking = chat.messages.findLast(({ toolCalls }) =>
        toolCalls.some((one) => one.id === id),
      );
      if (asking === undefined) message("info", [{ type: "text", content: JSON.stringify(event) }]);
      else
        asking.toolCalls = asking.toolCalls.map((one) =>
          one.id === id ? { ...one, ...givenBy(event), ms } : one,
        );
      return;
    }
    case "error":
      message(textOf(event["severity"]) ?? "error", [
        { type: "text", content: toText(event["message"]) },
      ]);
      return;
    default: {
      chat.isDone = true;
      const { message: words, type } = membersOf(event["error"]);
      const error = textOf(words) ?? textOf(type);
      const answered = chat.messages.findLast((one) => one.type === "gemini");
      const failed =
        error === undefined
          ? undefined
          : message("gemini", [], {
              model: chat.model,
              error: { type: textOf(type) ?? "error", message: error },
            });
      const counted = failed ?? answered;
      if (counted !== undefined) counted.usage = usageOf(tokensOf(membersOf(event["stats"])));
    }
  }
}

function newMessage(chat: OpenChat, type: string, ms: number, number: number): ChatMessage {
  return {
    // Another process of the same session has a line with this number, too.
    id: `${chat.ms}-${number}`,
    type,
    ms,
    number,
    after: undefined,
    added: undefined,
    parts: [],
    model: undefined,
    usage: {},
    toolCalls: [],
  };
}

/** Texts come in pieces. */
function withText(parts: readonly GenAiPart[], content: string): readonly GenAiPart[] {
  const last = parts.at(-1) as { readonly content?: unknown } | undefined;
  const before = last === undefined ? "" : toText(last.content);
  return [...parts.slice(0, -1), { type: "text", content: before + content }];
}

function calledBy({ tool_id, tool_name, parameters }: PlainObject): ChatToolCall {
  return {
    id: toText(tool_id),
    name: toText(tool_name),
    args: parameters ?? {},
    result: undefined,
    status: undefined,
    ms: undefined,
    agentId: undefined,
  };
}

function givenBy({ status, output, error }: PlainObject): Pick<ChatToolCall, "status" | "result"> {
  const problem = textOf(membersOf(error)["message"]);
  return { status: textOf(status) ?? "success", result: problem ?? output ?? "" };
}

/** The tokens of all calls, thoughts as what the sum has beside. */
function tokensOf(stats: PlainObject): PlainObject {
  const [input, output] = [countOf(stats["input_tokens"]), countOf(stats["output_tokens"])];
  const thoughts = Math.max(0, countOf(stats["total_tokens"]) - input - output);
  return { input, output, cached: stats["cached"], thoughts };
}

function answerOf(printed: PlainObject): PrintedChat {
  const { session_id, response, error, stats } = printed;
  const id = toText(session_id);
  const models = Object.entries(membersOf(membersOf(stats)["models"]));
  const told = models.map(([, model]) => membersOf(membersOf(model)["tokens"]));
  const sum = (name: string) => told.reduce((all, tokens) => all + countOf(tokens[name]), 0);
  const { type, message } = membersOf(error);
  const content = textOf(response);
  const chat = { id, ms: 0, model: undefined, isDone: true, messages: [], odd: [] };
  const answer: ChatMessage = {
    ...newMessage(chat, "gemini", 0, 1),
    parts: content === undefined ? [] : [{ type: "text", content }],
    model: models.length === 1 ? models[0]?.[0] : undefined,
    usage: usageOf({
      input: sum("prompt"),
      output: sum("candidates"),
      cached: sum("cached"),
      thoughts: sum("thoughts"),
      tool: sum("tool"),
    }),
    error:
      error === undefined ? undefined : { type: textOf(type) ?? "error", message: toText(message) },
  };
  return { id, ms: 0, messages: [answer], odd: [] };
}
