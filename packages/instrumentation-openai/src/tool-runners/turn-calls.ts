import { isPromise } from "node:util/types";

/** Which of the tool calls of a runner's last answer a function is called for. */
export interface TurnCalls {
  /** A parser made `value`, or a promise of it, of a call's arguments. */
  parsed(text: unknown, value: unknown): void;
  /** What the call is that this function gets: of several alike the first that is not taken. */
  take(
    name: string,
    given: unknown,
  ): { readonly callId: string | undefined; readonly args: unknown };
}

interface ToolCall {
  readonly id?: unknown;
  readonly function?: { readonly name?: unknown; readonly arguments?: unknown };
}

/**
 * The SDK gives a function its arguments and no call id. It calls the parsers, or where there are none the functions,
 * in the order of the calls, so that calls that are alike in name and arguments are told apart by their order.
 *
 * @param messages the runner's own, growing list
 */
export function createTurnCalls(messages: readonly unknown[]): TurnCalls {
  const taken = new WeakSet<object>();
  const made: { readonly text: unknown; readonly value: unknown }[] = [];

  function textOf(given: unknown): unknown {
    const at = made.findIndex(({ value }) => Object.is(value, given));
    return at === -1 ? given : made.splice(at, 1)[0]?.text;
  }

  return {
    parsed(text, value) {
      if (isPromise(value)) {
        value.then(
          (later: unknown) => made.push({ text, value: later }),
          () => {},
        );
      } else {
        made.push({ text, value });
      }
    },
    take(name, given) {
      const args = textOf(given);
      const call = lastCalls(messages).find(
        (one) => !taken.has(one) && one.function?.name === name && one.function.arguments === args,
      );
      if (call !== undefined) taken.add(call);
      return { callId: typeof call?.id === "string" ? call.id : undefined, args };
    },
  };
}

/** The tool calls of the last answer. */
function lastCalls(messages: readonly unknown[]): readonly ToolCall[] {
  const answer = messages.findLast((one) => (one as { role?: unknown })?.role === "assistant");
  const { tool_calls: calls } = (answer ?? {}) as { readonly tool_calls?: unknown };
  return Array.isArray(calls)
    ? calls.filter((one): one is ToolCall => typeof one === "object" && one !== null)
    : [];
}
