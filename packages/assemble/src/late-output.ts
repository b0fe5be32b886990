import type { ToolCallResponsePart } from "@thoughtflow/semconv";
import { ReadMessage } from "./read-message.ts";

/** A message with what a tool gave, up to the text of it, as our instrumentations and imports write it. */
const HEAD =
  /^\{"role":"(\w+)","parts":\[\{"type":"tool_call_response","id":"([\w-]+)","response":"/;
const TAIL = '"}]}';

/**
 * A message with nothing but the text that a tool gave, which may be long: mostly only whose output it is counts, and the text is
 * read when somebody looks at it. `undefined` for any other message.
 */
export function lateOutputIn(json: string): ReadMessage | undefined {
  const [head, role, id] = HEAD.exec(json) ?? [];
  if (head === undefined || role === undefined || id === undefined) return undefined;
  return isTextToTail(json, head.length)
    ? new ReadMessage(role, [new LateOutput(id, json)])
    : undefined;
}

/** Whether the text that begins here ends where the tail begins, and not before. */
function isTextToTail(json: string, start: number): boolean {
  if (!json.endsWith(TAIL)) return false;
  let quote = json.indexOf('"', start);
  while (isEscaped(json, quote)) quote = json.indexOf('"', quote + 1);
  return quote === json.length - TAIL.length;
}

function isEscaped(json: string, quote: number): boolean {
  let first = quote;
  while (json[first - 1] === "\\") first--;
  return (quote - first) % 2 === 1;
}

class LateOutput implements ToolCallResponsePart {
  readonly type = "tool_call_response";
  readonly id: string;
  readonly #json: string;

  constructor(id: string, json: string) {
    this.id = id;
    this.#json = json;
  }

  /** Nothing where the text is no JSON. */
  get response(): unknown {
    try {
      const { parts }: { parts: ToolCallResponsePart[] } = JSON.parse(this.#json);
      return parts[0]?.response;
    } catch {
      return undefined;
    }
  }
}
