import type { GenAiMessage } from "@thoughtflow/semconv";
import { toText } from "@thoughtflow/semconv";
import { itemsOf, propertiesOf } from "../unknown-values.ts";
import { eventMessage, eventMessages, isEventMessage } from "./event-messages.ts";
import { answersIn, messagesIn, oneMessage } from "./messages-in.ts";
import type { Reader } from "./reader.ts";
import { parsedOr, type SpanView } from "./span-view.ts";

type Side = "input" | "output";

const CHOICE = "gen_ai.choice";
const LOG = "event.name";

/** An attribute that lists the messages of a call as events (pydantic-ai before its version 2, Logfire). */
export function eventLog(side: Side): Reader {
  return {
    as: side === "input" ? "events up to the answer" : "the events that are the answer",
    read(span, name) {
      const events = itemsOf(span.value(name)).filter((one) => isEventMessage(propertiesOf(one)));
      const at = answerAt(events.map((one) => toText(propertiesOf(one)[LOG])));
      const wanted = side === "input" ? events.slice(0, at) : events.slice(at);
      return jsonOf(eventMessages(wanted), side);
    },
  };
}

const ANSWERS: ReadonlySet<string> = new Set(["gen_ai.assistant.message", "gen_ai.unknown"]);

/** The answer: the choices; where a log has none, what the assistant said last. */
function answerAt(names: readonly string[]): number {
  const choice = names.indexOf(CHOICE);
  if (choice !== -1) return choice;
  let at = names.length;
  while (at > 0 && ANSWERS.has(names[at - 1] ?? "")) at--;
  return at;
}

/** Span events that tell messages: one each (1.28 to 1.36), or all input or output at once (1.26, 1.27, Strands). */
export function spanEvents(side: Side): Reader {
  return {
    as: side === "input" ? "span events, as messages" : "span events, as the answer",
    read(span, name) {
      return jsonOf(
        span.record.events.flatMap((event) => told(event, name, side)),
        side,
      );
    },
  };
}

/** One member of the span events of that name, as JSON. */
export function eventMember(member: string): Reader {
  return {
    as: `of span events the \`${member}\``,
    read(span, name) {
      const values = span.record.events
        .filter((event) => event.name === name)
        .map(({ attributes }) => attributes[member]);
      const value = values.find((one) => typeof one === "string" && one !== "");
      return typeof value === "string" ? JSON.stringify(plain(parsedOr(value))) : undefined;
    },
  };
}

/** Blocks that are texts as the text that they are. */
function plain(value: unknown): unknown {
  const texts = itemsOf(value).map((block) => propertiesOf(block)["text"]);
  return texts.length > 0 && texts.every((text) => typeof text === "string")
    ? texts.join("")
    : value;
}

function told(
  { name, attributes }: SpanView["record"]["events"][number],
  wanted: string,
  side: Side,
): readonly GenAiMessage[] {
  if (wanted === EACH ? !isMessage(name) : name !== wanted) return [];
  const members = Object.fromEntries(
    Object.entries(attributes).map(([key, value]) => [
      key,
      typeof value === "string" && PARSED.has(key) ? parsedOr(value) : value,
    ]),
  );
  const whole = WHOLE[side].map((key) => members[key]).find((value) => value !== undefined);
  if (whole !== undefined) return side === "input" ? messagesIn(whole, "user") : answersIn(whole);
  return eventMessage(name, { ...members, ...propertiesOf(members["gen_ai.event.content"]) });
}

/** Stands for the four events that tell one message each. */
const EACH = "gen_ai.{system,user,assistant,tool}.message";

function isMessage(name: string): boolean {
  return isEventMessage({ [LOG]: name }) && name !== CHOICE;
}

const WHOLE: Readonly<Record<Side, readonly string[]>> = {
  input: ["gen_ai.prompt", "gen_ai.input.messages"],
  output: ["gen_ai.completion", "gen_ai.output.messages"],
};

/** The members that are JSON where they are text; what was said stays text, whatever it looks like. */
const PARSED: ReadonlySet<string> = new Set([
  "tool_calls",
  "message",
  "gen_ai.event.content",
  ...WHOLE.input,
  ...WHOLE.output,
]);

function jsonOf(messages: readonly GenAiMessage[], side: Side): string | undefined {
  if (messages.length === 0) return undefined;
  const isOne = side === "output" && messages.length > 1;
  return JSON.stringify(isOne ? [oneMessage(messages)] : messages);
}
