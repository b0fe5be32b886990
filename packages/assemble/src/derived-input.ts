import { isTextPart } from "@thoughtflow/semconv";
import type { Atom } from "@thoughtflow/workflow";
import type { ConversationTree, TreeNode } from "./conversation-tree.ts";
import type { RecordedIndex } from "./recorded-index.ts";
import type { Moment } from "./span-node.ts";
import { addEdge, createDraft, type StepDraft } from "./step-draft.ts";
import type { ToolSteps } from "./tool-steps.ts";
import { wordsOf } from "./words-of.ts";

/** An answer that a later history repeats word for word was very likely the one that a person replied to. */
const CONFIDENCE_REPLY = 0.9;

/** Where an atom stands in its call's input. */
interface Place {
  /** From 1, over all atoms. */
  readonly position: number;
  /** From 1, over what people said. */
  readonly users: number;
  readonly withText: boolean;
}

/** Adds a call's input to the tree; returns the node after each of its messages. */
export type AddInput = (
  call: StepDraft,
  start: TreeNode,
  messages: readonly (readonly Atom[])[],
  how: InputForm,
) => readonly TreeNode[];

export interface InputForm {
  /** Whether the atoms have their words, or only their structure. */
  readonly withText: boolean;
  /** Whether `messages` leaves out what leads up to `start`, so that ids count on from there. */
  readonly countsOn: boolean;
}

/**
 * Steps for the input of model calls: what the tree knows already is only pointed at, the rest becomes
 * `user_message`, `tool_output` and, for history that nobody saw happen, steps without times.
 */
export function createInputSteps(
  tree: ConversationTree,
  index: RecordedIndex,
  tools: ToolSteps,
): AddInput {
  return (call, start, messages, { withText, countsOn }) => {
    const keyed = messages.map((atoms, m) =>
      atoms.map((atom, n) =>
        withText || !hasText(atom) ? atom : { ...atom, key: `${call.id} ${m} ${n}` },
      ),
    );
    const known = tree.known(start, keyed.flat(), (step) => step.run === call.run);
    const ends: TreeNode[] = [];
    let at = start;
    const before = countsOn ? pathTo(start) : [];
    let position = before.length;
    let users = before.filter(({ kind }) => kind === "user").length;
    let i = 0;
    for (const atoms of keyed) {
      for (const atom of atoms) {
        position++;
        if (atom.kind === "user") users++;
        at =
          known[i++] ?? tree.add(at, atom, stepFor(call, at, atom, { position, users, withText }));
      }
      ends.push(at);
    }
    restOn(call, at);
    return ends;
  };

  function stepFor(call: StepDraft, above: TreeNode, atom: Atom, place: Place): StepDraft {
    const { position, withText } = place;
    switch (atom.kind) {
      case "user":
        return userStep(call, above, atom, place);
      case "assistant":
        return historyStep(call, atom, position, withText);
      case "tool_call":
        return tools.fromHistory(call, atom, position);
      case "tool_response":
        return tools.output(call, above, atom, position, withText);
    }
  }

  function userStep(call: StepDraft, above: TreeNode, atom: Atom, place: Place): StepDraft {
    const { position, users, withText } = place;
    const text = textOf(atom);
    const { run, span, moment, started } = call;
    const step =
      (text === undefined ? undefined : index.takeMessage("user_message", text, call)) ??
      createDraft(
        {
          run,
          id: `${call.id}.u${users}`,
          label: "user_message",
          origin: "derived",
          span,
          moment: beforeCall(moment, position),
        },
        {
          started,
          ended: started,
          status: "ok",
          parent: call.parent,
          payloadStarted: messagePayload(atom, withText),
          payloadCompleted: { ok: true },
        },
      );
    if (above.kind === "assistant" && above.step !== undefined && !restsOn(step, above.step)) {
      const evidence = "history";
      addEdge(step, {
        to: above.step,
        type: "responds_to",
        origin: "inferred",
        confidence: CONFIDENCE_REPLY,
        evidence,
      });
    }
    return step;
  }

  /** An answer that was given before anybody watched. */
  function historyStep(call: StepDraft, atom: Atom, n: number, withText: boolean): StepDraft {
    const { run, span, moment } = call;
    return createDraft(
      {
        run,
        id: `${call.id}.h${n}`,
        label: "assistant_message",
        origin: "derived",
        span,
        moment: beforeCall(moment, n),
      },
      { parent: call.parent, payloadCompleted: messagePayload(atom, withText) },
    );
  }
}

/** Edges to what came since the last answer that the history holds, and the ordered input of the call. */
function restOn(call: StepDraft, last: TreeNode): void {
  const since: TreeNode[] = [];
  let at: TreeNode | undefined = last;
  while (at !== undefined && at.answerOf === undefined) {
    if (at.step !== undefined) since.push(at);
    at = at.parent;
  }
  since.reverse();
  const steps = new Set<StepDraft>();
  for (const { kind, step } of since) {
    if (step === undefined || steps.has(step)) continue;
    steps.add(step);
    if (kind === "tool_call") continue;
    const evidence = step.callId;
    const type = kind === "user" ? "responds_to" : "reads";
    addEdge(call, {
      to: step,
      type,
      origin: "observed",
      ...(evidence !== undefined && { evidence }),
    });
  }
  const failed = last.askedBy.findLast((earlier) => earlier.status === "error");
  if (failed !== undefined && since.length > 0) {
    addEdge(call, {
      to: failed,
      type: "retry_of",
      origin: "inferred",
      confidence: CONFIDENCE_REPLY,
      evidence: "same input",
    });
  }
  last.askedBy.push(call);
  call.input = [...(at?.answerOf === undefined ? [] : [at.answerOf]), ...steps];
}

function restsOn(step: StepDraft, target: StepDraft): boolean {
  return [...step.edges.values()].some((edge) => edge.to === target || edge.to === target.id);
}

function hasText({ kind }: Atom): boolean {
  return kind === "user" || kind === "assistant";
}

/** The words of an atom that is nothing but words. */
export function textOf({ parts }: Atom): string | undefined {
  return parts.every(isTextPart) ? wordsOf(parts) : undefined;
}

/** `text`, and `content` where there is more than text; lengths only where content did not travel. */
export function messagePayload(atom: Atom, withText: boolean): Record<string, unknown> {
  if (!withText) return { parts: atom.parts };
  const text = textOf(atom);
  if (text !== undefined) return { text };
  return {
    ...(atom.parts.some(isTextPart) && { text: wordsOf(atom.parts) }),
    content: atom.parts.filter((part) => !isTextPart(part)),
  };
}

/** The nodes from the start of the conversation to this one, last first. */
function pathTo(node: TreeNode): TreeNode[] {
  const path: TreeNode[] = [];
  for (let at: TreeNode | undefined = node; at?.parent !== undefined; at = at.parent) path.push(at);
  return path;
}

/** The moment of what a call was given: before the call itself, in the order of its input. */
export function beforeCall(moment: Moment, position: number): Moment {
  return { ...moment, rank: position - 1_000_000 };
}
