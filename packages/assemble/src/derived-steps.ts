import {
  ATTR_GEN_AI_CONVERSATION_ID,
  ATTR_GEN_AI_REQUEST_PREVIOUS_RESPONSE_ID,
  ATTR_GEN_AI_RESPONSE_ID,
  ATTR_OPENAI_API_TYPE,
  type GenAiMessage,
  isReasoningPart,
} from "@thoughtflow/semconv";
import { type Atom, atomsOf } from "@thoughtflow/workflow";
import type { ContentReader, ModelCall } from "./content-reader.ts";
import { createConversationTree, onwards, type TreeNode } from "./conversation-tree.ts";
import { createInputSteps, type InputEnd } from "./derived-input.ts";
import { createOutputSteps } from "./derived-output.ts";
import { createSnapshots } from "./derived-snapshots.ts";
import { historyOf, messagesOf } from "./history.ts";
import { createRecordedIndex } from "./recorded-index.ts";
import { textAttribute } from "./span-node.ts";
import { addEdge, type StepDraft } from "./step-draft.ts";
import { createToolSteps } from "./tool-steps.ts";

/** What one model call left in the tree. */
interface Walked {
  readonly input: InputEnd;
  /** The node after each choice. */
  readonly ends: readonly TreeNode[];
}

/**
 * Reads steps out of the messages of a session's model calls, in the order of their moments: what people said,
 * which tools the model asked for and what they gave, what it answered. Each is a step once, however many later
 * calls repeat it.
 */
export function deriveSteps(recorded: readonly StepDraft[], content: ContentReader): void {
  const calls = recorded.filter((step) => step.label === "assistant_call");
  const index = createRecordedIndex(recorded);
  const tree = createConversationTree();
  const tools = createToolSteps(recorded, index, content);
  const useSnapshots = createSnapshots();
  const addInput = createInputSteps(tree, index, tools, atomsOfMessage);
  const addOutput = createOutputSteps(tree, index, tools);
  const walked = new Map<StepDraft, Walked>();
  const bySpan = new Map<string, StepDraft>();
  const byResponse = new Map<string, StepDraft>();
  const byConversation = new Map<string, StepDraft>();
  const atoms = new WeakMap<GenAiMessage, readonly Atom[]>();

  function atomsOfMessage(message: GenAiMessage): readonly Atom[] {
    const known = atoms.get(message);
    if (known !== undefined) return known;
    const made = atomsOf(message);
    atoms.set(message, made);
    return made;
  }

  /** Where the input of a call begins: at the start, or where an earlier call ended. */
  function startOf(call: StepDraft, { input, structure }: ModelCall): TreeNode {
    const { record } = call.span;
    const responseId = textAttribute(record, ATTR_GEN_AI_REQUEST_PREVIOUS_RESPONSE_ID);
    const previous = responseId === undefined ? undefined : byResponse.get(responseId);
    if (previous !== undefined) {
      addEdge(call, {
        to: previous,
        type: "continues",
        origin: "observed",
        evidence: responseId ?? "",
      });
      return walked.get(previous)?.ends[0] ?? tree.start;
    }
    if (input === undefined) return structuralStart(structure?.continues, structure?.known ?? 0);
    const conversation = conversationOf(call);
    const before = conversation === undefined ? undefined : byConversation.get(conversation);
    if (before === undefined) return tree.start;
    const [first] = messagesOf(input).flatMap(atomsOfMessage);
    if (first !== undefined && onwards(tree.start, first.key).length > 0) return tree.start;
    return walked.get(before)?.ends[0] ?? tree.start;
  }

  function structuralStart(continues: string | undefined, known: number): TreeNode {
    const call = continues === undefined ? undefined : bySpan.get(continues);
    const walk = call === undefined ? undefined : walked.get(call);
    if (walk === undefined) return tree.start;
    return (
      (known > 0 ? endAfter(known, walk.input)?.node : undefined) ?? walk.ends[0] ?? tree.start
    );
  }

  for (const call of calls) {
    const { record } = call.span;
    const modelCall = modelCallOf(call, content);
    useSnapshots(call, modelCall);
    const start = startOf(call, modelCall);
    const history = modelCall.input ?? historyOf(modelCall.structure?.input ?? []);
    const withText = modelCall.input !== undefined;
    const countsOn = !withText && (modelCall.structure?.known ?? 0) > 0;
    const input = addInput(call, start, history, { withText, countsOn });
    const last = input.node;
    const output = (modelCall.output ?? modelCall.structure?.output ?? []).map(atomsOfMessage);
    const ends = addOutput(call, last, output, modelCall.output !== undefined);
    addReasoning(call, modelCall);
    walked.set(call, { input, ends: ends.length > 0 ? ends : [last] });
    bySpan.set(record.spanId, call);
    const responseId = textAttribute(record, ATTR_GEN_AI_RESPONSE_ID);
    if (responseId !== undefined) byResponse.set(responseId, call);
    const conversation = conversationOf(call);
    if (conversation !== undefined) byConversation.set(conversation, call);
  }
}

/** Where so many messages of an input end; `undefined` when it has fewer. */
function endAfter(messages: number, input: InputEnd): InputEnd | undefined {
  let at: InputEnd | undefined = input;
  while (at !== undefined && at.messages > messages) at = at.before;
  return at?.messages === messages ? at : undefined;
}

/** A call with the answer that was fetched later, where it was. */
function modelCallOf({ span, answer }: StepDraft, content: ContentReader): ModelCall {
  const call = content.modelCall(span.record);
  if (answer === undefined) return call;
  const { output, structure } = content.modelCall(answer.record);
  const fetched = structure?.output ?? [];
  return {
    ...call,
    output,
    structure: call.structure === undefined ? structure : { ...call.structure, output: fetched },
  };
}

/** What the model thought before it answered stands with the call: it is no message of the conversation. */
function addReasoning(call: StepDraft, { output = [] }: ModelCall): void {
  const parts = output.flatMap((message) => message.parts).filter(isReasoningPart);
  if (parts.length === 0) return;
  const reasoning = parts.map((part) => part.content).join("\n");
  call.payloadCompleted = { ...call.payloadCompleted, reasoning };
}

/** The conversation that the provider keeps: only the Responses API has one. */
function conversationOf(call: StepDraft): string | undefined {
  const { record } = call.span;
  if (textAttribute(record, ATTR_OPENAI_API_TYPE) !== "responses") return undefined;
  return textAttribute(record, ATTR_GEN_AI_CONVERSATION_ID);
}
