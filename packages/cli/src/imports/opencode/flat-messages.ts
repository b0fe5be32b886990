import { listOf, membersOf, type PlainObject, textOf } from "../plain-values.ts";

/** A message with its parts, as versions before 2.0 keep and export it. */
export interface ExportedMessage {
  readonly info: PlainObject;
  readonly parts: readonly PlainObject[];
}

/**
 * A message as versions since 2.0 keep and export it, in which all stands that was said, in the form of those before: none where it says
 * nothing, and two where a call of the model summed the history up.
 */
export function messagesOfFlat(message: PlainObject): readonly ExportedMessage[] {
  switch (message["type"]) {
    case "user":
      return [saidBy("user", message, [textPart(message), ...filesOf(message)])];
    case "assistant":
      return [answerOf(message, listOf(message["content"]).map(contentPart))];
    case "shell":
      return [{ info: infoOf("assistant", message), parts: [commandPart(message)] }];
    case "compaction":
      return compacted(message);
    case "idle":
      return [{ info: { ...infoOf("idle", message), outcome: message["outcome"] }, parts: [] }];
    default:
      return textOf(message["text"]) === undefined
        ? []
        : [saidBy("user", message, [{ ...textPart(message), synthetic: true }])];
  }
}

function infoOf(role: string, { id, time }: PlainObject): PlainObject {
  return { id, role, time };
}

function saidBy(
  role: string,
  message: PlainObject,
  parts: readonly PlainObject[],
): ExportedMessage {
  return { info: infoOf(role, message), parts };
}

function textPart({ text }: PlainObject): PlainObject {
  return { type: "text", text: textOf(text) ?? "" };
}

function filesOf({ files }: PlainObject): readonly PlainObject[] {
  return listOf(files).map((one) => {
    const { mime, uri } = membersOf(one);
    return { type: "file", mime, url: uri };
  });
}

/** A call of the model, also where nothing tells its tokens. */
function answerOf(message: PlainObject, parts: readonly PlainObject[]): ExportedMessage {
  const { model, tokens, cost, finish, error } = message;
  const { id: modelID, providerID } = membersOf(model);
  const info = { ...infoOf("assistant", message), modelID, providerID, tokens, cost, finish };
  return {
    info: { ...info, ...(error !== undefined && { error: errorOfFlat(membersOf(error)) }) },
    parts: [{ type: "step-start" }, ...parts],
  };
}

/** As those before name what went wrong. */
export function errorOfFlat({ type, message }: PlainObject): PlainObject {
  return { name: type === "aborted" ? "MessageAbortedError" : type, data: { message } };
}

function contentPart(content: unknown): PlainObject {
  const part = membersOf(content);
  if (part["type"] !== "tool") return part;
  const { id, name, state, time } = part;
  const { status, input, content: output, error, metadata } = membersOf(state);
  const { created, ran, completed } = membersOf(time);
  const { sessionID: sessionId, exit } = membersOf(metadata);
  return {
    type: "tool",
    callID: id,
    tool: name,
    state: {
      status,
      input,
      output: wordsOfContent(output),
      error: membersOf(error)["message"],
      metadata: { sessionId, exit },
      time: { start: ran ?? created, end: completed },
    },
  };
}

function wordsOfContent(content: unknown): string {
  const texts = listOf(content).map((one) => textOf(membersOf(one)["text"]));
  return texts.filter((text) => text !== undefined).join("\n");
}

/** What a person ran. */
function commandPart({
  id,
  shellID,
  callID,
  command,
  exit,
  output,
  time,
}: PlainObject): PlainObject {
  const { created, completed } = membersOf(time);
  const isDone = completed !== undefined;
  return {
    type: "tool",
    callID: textOf(shellID) ?? textOf(callID) ?? id,
    tool: "shell",
    state: {
      status: isDone ? "completed" : "running",
      input: { command },
      output: textOf(output) ?? textOf(membersOf(output)["output"]) ?? "",
      metadata: { exit },
      time: { start: created, end: completed },
    },
  };
}

/** The call that summed up, where its tokens are told, and what the history was replaced by, where it was. */
function compacted(message: PlainObject): readonly ExportedMessage[] {
  const { id, status, summary, tokens } = message;
  const words = { type: "text", text: textOf(summary) ?? "" };
  const own = textOf(id);
  // Without an id it is told apart by its place, as every message.
  const asked = own === undefined ? message : { ...message, id: `${own}-call` };
  const call = answerOf(asked, words.text === "" ? [] : [words]);
  const isDone = status === undefined || status === "completed";
  const parts = [{ type: "compaction" }, { ...words, synthetic: true }];
  return [
    ...(tokens === undefined ? [] : [call]),
    ...(isDone ? [saidBy("user", message, parts)] : []),
  ];
}
