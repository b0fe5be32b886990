import { fromExactJson } from "@thoughtflow/schema/exact-json";
import { isObject, membersOf, type PlainObject } from "./plain-values.ts";

/** The message that a streamed answer adds up to, in the form of one that was not streamed; `undefined` without a beginning. */
export function messageOfStream(text: string): PlainObject | undefined {
  let message: Record<string, unknown> | undefined;
  const blocks: Record<string, unknown>[] = [];
  const inputs = new Map<number, string>();
  for (const data of eventsIn(text)) {
    const index = typeof data["index"] === "number" ? data["index"] : 0;
    const delta = membersOf(data["delta"]);
    switch (data["type"]) {
      case "message_start":
        message = { ...membersOf(data["message"]) };
        break;
      case "content_block_start":
        blocks[index] = { ...membersOf(data["content_block"]) };
        break;
      case "content_block_delta":
        addDelta(blocks[index] ?? {}, delta, (json) =>
          inputs.set(index, (inputs.get(index) ?? "") + json),
        );
        break;
      case "message_delta":
        if (message !== undefined) {
          const usage = { ...membersOf(message["usage"]), ...membersOf(data["usage"]) };
          Object.assign(message, delta, { usage });
        }
        break;
      case "error":
        message = { ...message, error: data["error"] };
    }
  }
  for (const [index, json] of inputs) {
    const block = blocks[index];
    if (block !== undefined) block["input"] = parsedOr(json);
  }
  return message === undefined ? undefined : { ...message, content: blocks.filter(Boolean) };
}

function addDelta(
  block: Record<string, unknown>,
  delta: PlainObject,
  addInput: (json: string) => void,
): void {
  if (typeof delta["partial_json"] === "string") addInput(delta["partial_json"]);
  for (const key of ["text", "thinking", "signature"])
    if (typeof delta[key] === "string") block[key] = `${block[key] ?? ""}${delta[key]}`;
}

/** Bedrock's stream has each event within bytes that are no text. */
const BEDROCK_EVENT = /event\{"bytes":"([A-Za-z0-9+/=]*)"/g;

function* eventsIn(text: string): Generator<PlainObject> {
  for (const [, bytes = ""] of text.matchAll(BEDROCK_EVENT)) {
    const data = parsedOr(Buffer.from(bytes, "base64").toString("utf8"));
    if (isObject(data)) yield data;
  }
  for (const line of text.split(/\r?\n/)) {
    if (!line.startsWith("data:")) continue;
    const data = parsedOr(line.slice(5).trim());
    if (isObject(data)) yield data;
  }
}

function parsedOr(json: string): unknown {
  try {
    return fromExactJson(json === "" ? "{}" : json);
  } catch {
    return json;
  }
}
