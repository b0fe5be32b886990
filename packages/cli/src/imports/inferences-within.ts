import { ATTR_GEN_AI_PROVIDER_NAME, ATTR_GEN_AI_RESPONSE_MODEL } from "@thoughtflow/semconv";
import { usageOfAnthropic } from "./anthropic-message.ts";
import type { TokensBeside } from "./conversation/conversation.ts";
import { isObject, listOf, membersOf, type PlainObject, textOf } from "./plain-values.ts";

/** What other inferences within an answer took. */
export interface InferenceWithin {
  readonly name: string;
  readonly model: string | undefined;
  readonly usage: PlainObject;
}

/** By the type of the iteration; all others are in the sums of the answer. */
const WITHIN: ReadonlyMap<unknown, string> = new Map([
  ["advisor_message", "advisor"],
  ["compaction", "compaction"],
]);

/**
 * The inferences that the API made within an answer and left out of the sums of its `usage`: what an advisor was asked, which has
 * a model of its own, and the compaction of the history.
 */
export function inferencesWithin({ usage, model }: PlainObject): readonly InferenceWithin[] {
  return listOf(membersOf(usage)["iterations"]).flatMap((one) => {
    const name = isObject(one) ? WITHIN.get(one["type"]) : undefined;
    if (name === undefined || !isObject(one)) return [];
    return [{ name, model: textOf(one["model"]) ?? textOf(model), usage: one }];
  });
}

/** Their tokens. */
export function tokensWithin(message: PlainObject): readonly TokensBeside[] {
  return inferencesWithin(message).map(({ name, model, usage }) => ({
    name,
    model,
    attributes: {
      ...usageOfAnthropic(usage),
      [ATTR_GEN_AI_PROVIDER_NAME]: "anthropic",
      ...(model !== undefined && { [ATTR_GEN_AI_RESPONSE_MODEL]: model }),
    },
  }));
}
