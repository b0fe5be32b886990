import {
  ATTR_GEN_AI_RESPONSE_FINISH_REASONS,
  ATTR_THOUGHTFLOW_GIVEN_FINISH_REASONS,
  toText,
} from "@thoughtflow/semconv";
import { itemsOf, propertiesOf, textOf } from "./unknown-values.ts";

/** What stands for a choice that came without a reason beside others that have one. */
const NONE_GIVEN = "error";
const TOOL_CALL = "tool_call";

/**
 * Why the choices of an answer ended, in the spelling of the conventions, and in the API's own where that is another.
 *
 * @param given One for each choice; none at all when no choice has any: then the answer was cut off.
 */
export function finishReasonAttributes(
  given: readonly (string | undefined)[],
): Record<string, string[]> {
  if (given.every((reason) => reason === undefined)) return {};
  const told = given.map((reason) => (reason === undefined ? NONE_GIVEN : conventional(reason)));
  return {
    [ATTR_GEN_AI_RESPONSE_FINISH_REASONS]: told,
    ...(told.some((reason, at) => reason !== given[at]) && {
      [ATTR_THOUGHTFLOW_GIVEN_FINISH_REASONS]: given.map((reason) => reason ?? ""),
    }),
  };
}

/**
 * The same for an API that has a status where the conventions have a reason, and a reason only where an answer is not whole:
 * a call that waits for its output is `tool_call`.
 *
 * @param details Where the answer says why it is not whole.
 */
export function finishReasonOfStatus(
  { status, output }: Readonly<Record<string, unknown>>,
  details: unknown,
): Record<string, string[]> {
  const reason = textOf(propertiesOf(details)["reason"]);
  switch (status) {
    case "completed":
      return finishReasonAttributes([waitsForOutput(itemsOf(output)) ? TOOL_CALL : "stop"]);
    case "incomplete":
    case "cancelled":
      return finishReasonAttributes([reason ?? status]);
    case "failed":
      return finishReasonAttributes([NONE_GIVEN]);
    default:
      return {};
  }
}

/** Whether the caller has to answer: a call has a `call_id`, and no output beside it, as those have that the provider ran. */
function waitsForOutput(output: readonly unknown[]): boolean {
  const items = output.map(propertiesOf);
  const idsOf = (suffix: string) =>
    items.flatMap((item) =>
      toText(item["type"]).endsWith(suffix) ? [textOf(item["call_id"])] : [],
    );
  const answered = new Set(idsOf("_output"));
  return idsOf("_call").some((id) => id !== undefined && !answered.has(id));
}

/** Unknown ones stay as they are. */
function conventional(reason: string): string {
  switch (reason) {
    case "tool_calls":
    case "function_call":
      return TOOL_CALL;
    case "max_output_tokens":
    case "max_tokens":
      return "length";
    default:
      return reason;
  }
}
