import { isReasoningPart, isTextPart } from "@thoughtflow/semconv";
import {
  argumentsOfTag,
  createThinkingTagParser,
  readThinkAloud,
  type TagAttributes,
  type ThinkingTagParser,
  thinkingTagsIn,
} from "@thoughtflow/thoughts";
import type { ThoughtSource } from "@thoughtflow/tracing";
import { publishThought, thoughtEvent } from "@thoughtflow/tracing/internal";
import type { ModelCall } from "./model-call.ts";

/** What was heard of a stream that is still coming. */
interface Heard {
  readonly parser: ThinkingTagParser;
  hasReasoned: boolean;
}

const heard = new WeakMap<ModelCall, Heard>();

/** Tells listeners of a thought in tags as soon as its tag is closed, while the answer is still coming. */
export function hearChunk(call: ModelCall, chunk: unknown): void {
  const known = heard.get(call) ?? begin(call);
  const { text, isReasoning } = deltaOf(chunk);
  if (isReasoning) known.hasReasoned = true;
  if (text !== "") known.parser.write(text);
}

/** Tells listeners what a model reasoned, and what it wrote in tags where that did not come as a stream. */
export function tellThoughts(call: ModelCall): void {
  let n = 0;
  for (const { parts } of call.output ?? []) {
    const reasoning = parts.filter(isReasoningPart).map(({ content }) => content);
    const thought = reasoning.join("\n").trim();
    if (thought !== "") tell(call, ++n, "reasoning", { thought });
    if (heard.has(call)) continue;
    for (const part of parts) {
      if (!isTextPart(part)) continue;
      for (const tagged of thinkingTagsIn(part.content))
        tell(call, ++n, "content", argumentsOfTag(tagged));
    }
  }
  heard.get(call)?.parser.end();
}

function begin(call: ModelCall): Heard {
  let open: { attributes: TagAttributes; text: string } | undefined;
  let n = 0;
  const parser = createThinkingTagParser({
    open(attributes) {
      open = { attributes, text: "" };
    },
    text(piece) {
      if (open !== undefined) open.text += piece;
    },
    close() {
      if (open === undefined) return;
      n += 1;
      tell(call, n + (begun.hasReasoned ? 1 : 0), "content-delta", argumentsOfTag(open));
      open = undefined;
    },
  });
  const begun: Heard = { parser, hasReasoned: false };
  heard.set(call, begun);
  return begun;
}

/** The n-th written thought of a call, by the id that its step has in the document. */
function tell(call: ModelCall, n: number, source: ThoughtSource, args: object): void {
  publishThought(() => {
    const { thought } = readThinkAloud(args);
    const { traceId, spanId } = call.span.spanContext();
    return thoughtEvent(thought, {
      thoughtId: thought.id ?? `thought_s_${spanId}.r${n}`,
      contextId: call.session?.sessionId,
      taskId: traceId,
      source,
    });
  });
}

/** The words of a chunk of the first choice, of either API. */
function deltaOf(chunk: unknown): { readonly text: string; readonly isReasoning: boolean } {
  const { type, delta, choices } = (chunk ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof type === "string") {
    const isText = type === "response.output_text.delta" && typeof delta === "string";
    return { text: isText ? delta : "", isReasoning: type.startsWith("response.reasoning") };
  }
  const [choice] = Array.isArray(choices) ? choices : [];
  const said = (choice?.index ?? 0) === 0 ? choice?.delta : undefined;
  const { content, reasoning_content: reasoned, reasoning } = said ?? {};
  return {
    text: typeof content === "string" ? content : "",
    isReasoning: Boolean(reasoned ?? reasoning),
  };
}
