import type { GenAiPart } from "@thoughtflow/semconv";
import { toText } from "@thoughtflow/semconv";
import {
  isObject,
  listOf,
  membersOf,
  numberOf,
  type PlainObject,
  textOf,
  valueOrText,
} from "../plain-values.ts";

/** One message of the history: what was said, done or seen. */
export type HistoryMessage =
  | {
      readonly kind: "system" | "demonstration" | "seen";
      readonly text: string;
      readonly callId: string | undefined;
    }
  | {
      readonly kind: "acted";
      readonly parts: readonly GenAiPart[];
      readonly callIds: readonly string[];
    }
  | {
      /** The program ended it: no model said so. */
      readonly kind: "exited";
      readonly text: string;
    };

/** What was said, done and seen, in order: the history, and the actions that came after its end. */
export function historyOf(document: PlainObject): readonly HistoryMessage[] {
  const history = listOf(document["history"]).filter(isObject).map(messageOf);
  const acted = history.filter(({ kind }) => kind === "acted" || kind === "exited").length;
  const later = stepsOf(document).slice(acted);
  return [
    ...history,
    ...later.flatMap((step, index): HistoryMessage[] => {
      const said = textOf(step["response"]) ?? "";
      const observation = toText(step["observation"]);
      const exit = exitIn(step, said);
      if (exit !== undefined) return [{ kind: "exited", text: `${exit}\n${observation}`.trim() }];
      return [
        { kind: "acted", ...actedOf(step, said, history.length + index) },
        { kind: "seen", text: observation, callId: undefined },
      ];
    }),
  ];
}

/** The runs of a task that was tried several times, in order; of most there is one. */
export function attemptsOf(document: PlainObject): readonly PlainObject[] {
  const attempts = listOf(document["attempts"]).filter(isObject);
  return attempts.length > 0 ? attempts : [document];
}

/** What the program says in the place of an answer when it ends a run: `Exit due to cost limit`. */
function exitIn({ thought, action }: PlainObject, said: string): string | undefined {
  const command = textOf(action)?.trim() ?? "";
  const words = said || (textOf(thought) ?? "");
  const isOfProgram =
    (command === "" && words.startsWith("Exit")) || (said === "" && command.startsWith("exit_"));
  return isOfProgram ? words || command : undefined;
}

/** The actions, each with how long it took. */
export function stepsOf({ trajectory }: PlainObject): readonly PlainObject[] {
  return listOf(trajectory).filter(isObject);
}

/** Milliseconds that an action took; 0 where nobody says it. */
export function durationOf(step: PlainObject | undefined): number {
  const seconds = numberOf(step?.["execution_time"]) ?? 0;
  return seconds > 0 ? Math.round(seconds * 1000) : 0;
}

function messageOf(message: PlainObject, index: number): HistoryMessage {
  const text = textIn(message["content"]);
  const role = message["role"];
  if (role === "assistant" && message["is_demo"] !== true) {
    const exit = listOf(message["tool_calls"]).length > 0 ? undefined : exitIn(message, text);
    if (exit !== undefined) return { kind: "exited", text: exit };
    return { kind: "acted", ...actedOf(message, text, index) };
  }
  const [callId] = listOf(message["tool_call_ids"]);
  if (role === "system") return { kind: "system", text, callId: undefined };
  return {
    kind: message["is_demo"] === true ? "demonstration" : "seen",
    text,
    callId: textOf(callId),
  };
}

/** A message's text: a string, or a list of parts. */
function textIn(content: unknown): string {
  if (typeof content === "string") return content;
  return listOf(content)
    .map((part) => textOf(membersOf(part)["text"]) ?? "")
    .join("\n");
}

/** What the model said, and the command that was taken from it. A command without a call of a tool becomes one. */
function actedOf(
  message: PlainObject,
  said: string,
  index: number,
): { readonly parts: readonly GenAiPart[]; readonly callIds: readonly string[] } {
  const thought = textOf(message["thought"]);
  const calls = listOf(message["tool_calls"]).filter(isObject).map(callOf);
  const action = textOf(message["action"]);
  const made =
    calls.length > 0 || action === undefined
      ? calls
      : [
          {
            type: "tool_call" as const,
            id: `action-${index}`,
            name: /^[\w./-]+/.exec(action.trim())?.[0] ?? "action",
            arguments: { command: action },
          },
        ];
  const words = made.length > 0 && calls.length === 0 ? (thought ?? said) : said;
  return {
    parts: [
      ...thinkingOf(message),
      ...(words === "" ? [] : [{ type: "text", content: words } as const]),
      ...made,
    ],
    callIds: made.map(({ id }) => id),
  };
}

function thinkingOf({ thinking_blocks: blocks }: PlainObject): readonly GenAiPart[] {
  return listOf(blocks).flatMap((block) => {
    const thinking = textOf(membersOf(block)["thinking"]);
    return thinking === undefined ? [] : [{ type: "reasoning" as const, content: thinking }];
  });
}

function callOf(call: PlainObject, index: number) {
  const { name, arguments: given } = membersOf(call["function"]);
  return {
    type: "tool_call" as const,
    id: textOf(call["id"]) ?? `call-${index}`,
    name: toText(name),
    arguments: valueOrText(given),
  };
}

/** The model that a run was configured with. */
export function modelOf({ replay_config: config }: PlainObject): string | undefined {
  const settings = membersOf(valueOrText(config));
  return textOf(membersOf(membersOf(settings["agent"])["model"])["name"]);
}

/** Whether an exit status is a good one; none tells nothing. */
export function hasSucceeded(status: string | undefined): boolean {
  return status === undefined || /^submitted/i.test(status);
}

/** How it ended: `submitted` in good cases. */
export function exitStatusOf({ info }: PlainObject): string | undefined {
  return textOf(membersOf(info)["exit_status"]);
}
