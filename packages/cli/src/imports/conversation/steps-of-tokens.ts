import type { SpanRecord } from "@thoughtflow/schema";
import type { ImportedTime } from "../imported-span.ts";
import type { Run, TokensBeside } from "./conversation.ts";
import type { ConversationSpans } from "./conversation-spans.ts";

/** The steps that have such tokens. */
export function stepsOfTokens(
  spans: Pick<ConversationSpans, "generic">,
  home: Pick<Run, "traceId" | "spanId">,
  tokens: readonly TokensBeside[],
  time: ImportedTime,
): readonly SpanRecord[] {
  const times = new Map<string, number>();
  return tokens.map(({ name: what, model, attributes }) => {
    const told = model === undefined ? what : `${what} (${model})`;
    const nth = (times.get(told) ?? 0) + 1;
    times.set(told, nth);
    const name = nth === 1 ? told : `${told} ${nth}`;
    return spans.generic(home, name, { model }, time, attributes);
  });
}
