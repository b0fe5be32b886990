import {
  ATTR_GEN_AI_RESPONSE_FINISH_REASONS,
  ATTR_GEN_AI_RESPONSE_ID,
  ATTR_GEN_AI_RESPONSE_MODEL,
  ATTR_OPENAI_RESPONSE_SERVICE_TIER,
  ATTR_OPENAI_RESPONSE_SYSTEM_FINGERPRINT,
} from "@thoughtflow/semconv";
import type { DialectAttributes } from "./dialect.ts";
import { finishReasonOf } from "./finish-reason.ts";
import { usageAttributes } from "./openai-usage.ts";
import { itemsOf, numberOf, present, propertiesOf, textOf } from "./unknown-values.ts";

type Properties = Readonly<Record<string, unknown>>;

/** The choices of a chat or completions answer in the order of their `index`. */
export function choicesOf(response: unknown): readonly Properties[] {
  return itemsOf(propertiesOf(response)["choices"])
    .map(propertiesOf)
    .sort((left, right) => (numberOf(left["index"]) ?? 0) - (numberOf(right["index"]) ?? 0));
}

/** Response attributes of the APIs that answer with choices. */
export function choicesAttributes(value: unknown): DialectAttributes {
  const response = propertiesOf(value);
  return {
    ...present<string | string[]>({
      [ATTR_GEN_AI_RESPONSE_ID]: textOf(response["id"]),
      [ATTR_GEN_AI_RESPONSE_MODEL]: textOf(response["model"]),
      [ATTR_GEN_AI_RESPONSE_FINISH_REASONS]: finishReasons(choicesOf(response)),
      [ATTR_OPENAI_RESPONSE_SERVICE_TIER]: textOf(response["service_tier"]),
      [ATTR_OPENAI_RESPONSE_SYSTEM_FINGERPRINT]: textOf(response["system_fingerprint"]),
    }),
    ...usageAttributes(response["usage"]),
  };
}

/** One for each choice; `error` for a choice without, unless none has one: then the answer was cut off. */
function finishReasons(choices: readonly Properties[]): string[] | undefined {
  const reasons = choices.map((choice) => textOf(choice["finish_reason"]));
  if (reasons.every((reason) => reason === undefined)) return undefined;
  return reasons.map((reason) => (reason === undefined ? "error" : finishReasonOf(reason)));
}
