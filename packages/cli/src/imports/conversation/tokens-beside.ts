import type { Attributes, SpanRecord } from "@thoughtflow/schema";
import type { ImportedTime } from "../imported-span.ts";
import type { Run } from "./conversation.ts";
import type { ConversationSpans } from "./conversation-spans.ts";

/** Tokens that stand at no call of their own. */
export interface TokensBeside {
  /** Of the step that has them. */
  readonly name: string;
  /** `undefined` where it may be of several. */
  readonly model: string | undefined;
  /** Tokens, the model and what they cost if that is told, as attributes. */
  readonly attributes: Attributes;
}

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
