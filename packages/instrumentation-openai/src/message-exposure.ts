import type { Span } from "@opentelemetry/api";
import { structureOf } from "@thoughtflow/dialects";
import type { GenAiMessage } from "@thoughtflow/semconv";
import { ATTR_THOUGHTFLOW_MESSAGES } from "@thoughtflow/semconv";
import type { ModelCallContent } from "@thoughtflow/tracing/internal";
import { currentRedactor, historyOf } from "@thoughtflow/tracing/internal";
import type { SessionMatch } from "@thoughtflow/workflow";

/** By parts, which equal messages share: a history that is sent again costs a look-up for each message. */
const made = new WeakMap<GenAiMessage["parts"], { readonly role: string; readonly json: string }>();

function structureJson(message: GenAiMessage): string {
  const { role, parts } = message;
  const known = made.get(parts);
  if (known?.role === role) return known.json;
  // Of the texts that models and apps choose, names alone are in it.
  const json = JSON.stringify(structureOf(message), (member, value: unknown) =>
    member === "name" && typeof value === "string"
      ? currentRedactor().text(value, ATTR_THOUGHTFLOW_MESSAGES)
      : value,
  );
  made.set(parts, { role, json });
  return json;
}

/**
 * Lets the structure of a call's messages, a `MessageStructure`, be read from its span; those of the call that it continues are only
 * counted. The text is made when somebody reads it, off the caller's path; at once on a span that shows no
 * attributes.
 *
 * @returns makes the text, if nobody has read it: from then on it holds nothing of the content
 */
export function exposeStructure(
  span: Span,
  content: ModelCallContent,
  match: SessionMatch,
  output: readonly GenAiMessage[],
): () => void {
  const { attributes } = span as { readonly attributes?: unknown };
  const read = madeOnce(structureText(content, match, output));
  if (typeof attributes !== "object" || attributes === null) {
    span.setAttribute(ATTR_THOUGHTFLOW_MESSAGES, read());
  } else {
    Object.defineProperty(attributes, ATTR_THOUGHTFLOW_MESSAGES, {
      configurable: true,
      enumerable: true,
      get: read,
    });
  }
  return read;
}

function structureText(
  content: ModelCallContent,
  { continues, known }: SessionMatch,
  output: readonly GenAiMessage[],
): () => string {
  return () => {
    const input = historyOf(content, known).map(structureJson);
    const place =
      continues === undefined
        ? ""
        : `"continues":${JSON.stringify(continues.spanId)},"known":${known},`;
    return `{${place}"input":[${input}],"output":[${output.map(structureJson)}]}`;
  };
}

/** Lets go of what the text is made of, once it is made. */
function madeOnce(make: () => string): () => string {
  let maker: (() => string) | undefined = make;
  let text = "";
  return () => {
    if (maker !== undefined) {
      text = maker();
      maker = undefined;
    }
    return text;
  };
}
