import type { Run, Session, Step } from "@thoughtflow/schema";
import { compactJson } from "@thoughtflow/schema/canonical";
import {
  createStepIndex,
  dependenciesOf,
  inputOf,
  type PlacedStep,
  type StepIndex,
} from "@thoughtflow/schema/steps";

/** A message as LLMTrace has it. */
export interface TraceMessage {
  readonly role: string;
  readonly content: readonly unknown[];
  readonly meta?: Readonly<Record<string, unknown>>;
}

type Payload = Readonly<Record<string, unknown>>;

/** The full conversation that a model was sent, oldest first. */
export function inputMessages(session: Session, run: Run, call: Step): TraceMessage[] {
  const index = createStepIndex(session);
  const input = inputOf(session, run, call, index);
  const given = new Set(input.map(({ step }) => step.step_id));
  const messages = dependenciesOf(call).flatMap((id): TraceMessage[] => {
    const step = index(id, run)?.step;
    return step?.label !== "policy.snapshot" || given.has(step.step_id)
      ? []
      : [systemMessage(step)];
  });
  for (const placed of input) addStep(messages, placed, index);
  return messages;
}

function systemMessage({ payload_started: started = {} }: Step): TraceMessage {
  return { role: "system", content: [textPart(started["content"] ?? started["content_preview"])] };
}

/** What the model answered; `undefined` where it has not. */
export function outputMessage({ payload_completed: completed }: Step): TraceMessage | undefined {
  if (completed === undefined) return undefined;
  const { text, function_calls: calls, ...others } = completed;
  const toolCalls = Array.isArray(calls) ? calls.map((call: Payload) => toolCall(call)) : [];
  const meta = { ...(toolCalls.length > 0 && { tool_calls: toolCalls }), ...others };
  return {
    role: "assistant",
    content: typeof text === "string" && text !== "" ? [textPart(text)] : [],
    ...(Object.keys(meta).length > 0 && { meta }),
  };
}

/** Tool calls and thoughts belong to the answer that they came with. */
function addStep(messages: TraceMessage[], placed: PlacedStep, index: StepIndex): void {
  const { step } = placed;
  const { payload_started: started = {}, payload_completed: completed = {} } = step;
  switch (step.label) {
    case "policy.snapshot":
      messages.push(systemMessage(step));
      break;
    case "user_message":
      messages.push({ role: "user", content: partsOf(started) });
      break;
    case "tool_output":
    case "tool_error": {
      const callId = answeredCall(placed, index);
      const meta = callId === undefined ? {} : { meta: { tool_call_id: callId } };
      const result = completed["result"] ?? completed["error"];
      messages.push({ role: "tool", content: [textPart(result)], ...meta });
      break;
    }
    case "tool_call":
      addToAnswer(messages, [], toolCall(started));
      break;
    case "thought":
      addToAnswer(messages, [{ type: "reasoning", text: wordsOf(started["thought"]) }]);
      break;
    default:
      addToAnswer(messages, partsOf({ ...started, ...completed }));
  }
}

/** The id by which a provider knows the call that an output answers. */
function answeredCall({ run, step }: PlacedStep, index: StepIndex): unknown {
  for (const id of dependenciesOf(step)) {
    const call = index(id, run)?.step;
    if (call?.label === "tool_call") return call.payload_started?.["call_id"];
  }
  return undefined;
}

function addToAnswer(
  messages: TraceMessage[],
  content: readonly unknown[],
  call?: Readonly<Record<string, unknown>>,
): void {
  const last = messages.at(-1);
  const isOpen = last?.role === "assistant";
  const calls = isOpen && Array.isArray(last.meta?.["tool_calls"]) ? last.meta["tool_calls"] : [];
  const all = call === undefined ? calls : [...calls, call];
  const answer: TraceMessage = {
    role: "assistant",
    content: [...(isOpen ? last.content : []), ...content],
    ...(all.length > 0 && { meta: { tool_calls: all } }),
  };
  messages.splice(isOpen ? -1 : messages.length, isOpen ? 1 : 0, answer);
}

function toolCall(call: Payload): Readonly<Record<string, unknown>> {
  return {
    id: call["call_id"],
    name: call["name"],
    arguments: call["args"] ?? call["args_text"],
  };
}

/** Parts as they were sent; of a text alone, that. */
function partsOf({ content, text }: Payload): readonly unknown[] {
  if (!Array.isArray(content)) return [textPart(text)];
  return content.map((part: unknown) => {
    const { type, content: words } = Object(part) as Payload;
    return type === "text" && words !== undefined ? textPart(words) : part;
  });
}

function textPart(value: unknown): { readonly type: "text"; readonly text: string } {
  return { type: "text", text: wordsOf(value) };
}

function wordsOf(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : compactJson(value);
}
