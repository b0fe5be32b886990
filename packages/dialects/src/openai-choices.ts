import {
  ATTR_GEN_AI_RESPONSE_ID,
  ATTR_GEN_AI_RESPONSE_MODEL,
  ATTR_OPENAI_RESPONSE_LOGPROBS,
  ATTR_OPENAI_RESPONSE_SERVICE_TIER,
  ATTR_OPENAI_RESPONSE_SYSTEM_FINGERPRINT,
} from "@thoughtflow/semconv";
import type { DialectAttributes } from "./dialect.ts";
import { finishReasonAttributes } from "./finish-reason.ts";
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
    ...present<string | number>({
      [ATTR_GEN_AI_RESPONSE_ID]: textOf(response["id"]),
      [ATTR_GEN_AI_RESPONSE_MODEL]: textOf(response["model"]),
      [ATTR_OPENAI_RESPONSE_SERVICE_TIER]: textOf(response["service_tier"]),
      [ATTR_OPENAI_RESPONSE_SYSTEM_FINGERPRINT]: textOf(response["system_fingerprint"]),
      [ATTR_OPENAI_RESPONSE_LOGPROBS]: logprobsOf(response),
    }),
    ...finishReasonAttributes(choicesOf(response).map((choice) => textOf(choice["finish_reason"]))),
    ...usageAttributes(response["usage"]),
  };
}

/** How many log probabilities stand in the choices, or stood in the chunks of a stream. */
function logprobsOf(response: Properties): number | undefined {
  const { logprobs_count: counted } = response;
  let count = numberOf(counted) ?? 0;
  for (const choice of itemsOf(response["choices"])) {
    count += logprobsIn(choice);
  }
  return count || undefined;
}

/** Of one choice: chat lists them for content and refusal, completions as tokens. */
export function logprobsIn(choice: unknown): number {
  const logprobs = propertiesOf(choice)["logprobs"];
  if (!logprobs) return 0;
  const { content, refusal, token_logprobs: tokens } = propertiesOf(logprobs);
  return itemsOf(content).length + itemsOf(refusal).length + itemsOf(tokens).length;
}
