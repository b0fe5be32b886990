import { isOwnSpan } from "@thoughtflow/dialects/spans";
import type { FlowError, SpanRecord } from "@thoughtflow/schema";
import { ATTR_GEN_AI_TOOL_CALL_RESULT, toolResponseIn } from "@thoughtflow/semconv";
import { isThinkAloud } from "@thoughtflow/thoughts";
import type { Atom } from "@thoughtflow/workflow";
import { beforeCall } from "./before-call.ts";
import { createCalledTools } from "./called-tools.ts";
import type { ContentReader } from "./content-reader.ts";
import { askedBy } from "./depends-on.ts";
import type { ThoughtSteps } from "./derived-thoughts.ts";
import { type EarlierRuns, lookAtCall } from "./earlier-runs.ts";
import { failureOf } from "./failed-tool.ts";
import { mergedPayload, type Payload } from "./payload.ts";
import type { RecordedIndex } from "./recorded-index.ts";
import { addAlias, addEdge, createDraft, type EdgeDraft, type StepDraft } from "./step-draft.ts";
import {
  requestOf,
  requestPayload,
  responseIn,
  responsePayload,
  withRequested,
} from "./tool-messages.ts";
import { createToolsByOutput } from "./tools-by-output.ts";
import type { TreeNode } from "./tree-node.ts";
import { joinUntoldRequests } from "./untold-requests.ts";

/** The tool calls and outputs of a session, each once: recorded by a span, or read out of messages. */
export interface ToolSteps {
  /** The n-th tool call that a model call asks for, counted from 1; `id` is that of its step where only messages tell of it. */
  requested(call: StepDraft, atom: Atom, id: string, n: number): StepDraft;
  /** A tool call in a history that nobody saw asked for; `at`: by then it was, absent where that was before the session. */
  fromHistory(call: StepDraft, atom: Atom, position: number, at: StepDraft["started"]): StepDraft;
  /** What a tool gave, as the request that shows it has it, or an answer of a provider that ran it. */
  output(
    call: StepDraft,
    above: TreeNode,
    atom: Atom,
    place: OutputPlace,
    withText: boolean,
  ): StepDraft;
  /** Joins the tools that no message asked for to the calls that they ran in, or after. */
  settle(): void;
}

/** Where and when an output is first seen. */
export interface OutputPlace {
  /** Of the step, where nobody knows the call. */
  readonly id: string;
  readonly moment: StepDraft["moment"];
  readonly at: StepDraft["started"];
}

/** A tool that is not told which call it answers is found by its name and arguments. */
const CONFIDENCE_SAME_ARGUMENTS = 0.9;
/** A tool that no message asks for runs in the call that asked for it, where it stands in its span. */
const CONFIDENCE_INSIDE = 0.9;
/** An output under an id that no call has is that of the first call that waits: some clients send ids of their own. */
const CONFIDENCE_ORDER = 0.9;

/** The tools of one session: those that spans recorded, before any message was read. */
export function createToolSteps(
  recorded: readonly StepDraft[],
  index: RecordedIndex,
  content: ContentReader,
  thoughts: ThoughtSteps,
  earlier?: EarlierRuns,
): ToolSteps {
  const outputs = new Map<StepDraft, StepDraft>();
  const calls = createCalledTools(recorded, earlier);
  /** The calls that are told to have asked for tools. */
  const told = new Set<StepDraft>();
  for (const step of recorded) if (step.label === "tool_call") recordedOutput(step);
  const toolsByOutput = createToolsByOutput(outputs, calls.isShown);

  /** The output that the tool's own span tells. */
  function recordedOutput(tool: StepDraft): void {
    const { run, span, moment, ended } = tool;
    // What called a tool off is no answer of it.
    const error = tool.status === "error" ? tool.error : undefined;
    const result = resultPayload(span.record, content);
    if (result === undefined && error === undefined) return;
    const output = outputDraft(tool, run, { ...moment, rank: 1 });
    output.started = ended;
    output.ended = ended;
    output.parent = tool.parent;
    output.payloadCompleted = error === undefined ? result : mergedPayload(result, { error });
  }

  function outputDraft(
    tool: StepDraft,
    run: StepDraft["run"],
    moment: StepDraft["moment"],
    isByOrder = false,
  ): StepDraft {
    const failed = tool.status === "error";
    const output = createDraft(
      {
        run,
        id: `${tool.id}_out`,
        label: failed ? "tool_error" : "tool_output",
        origin: "derived",
        span: tool.span,
        moment,
      },
      { status: failed ? "error" : "ok", callId: tool.callId },
    );
    const evidence = tool.callId;
    addEdge(output, {
      to: tool,
      type: "returns",
      ...(isByOrder
        ? { origin: "inferred", confidence: CONFIDENCE_ORDER, evidence: "order of calls" }
        : { origin: "observed", ...(evidence && { evidence }) }),
    });
    outputs.set(tool, output);
    return output;
  }

  function derivedCall(
    call: StepDraft,
    atom: Atom,
    id: string,
    more: Partial<StepDraft>,
    moment: StepDraft["moment"],
  ): StepDraft {
    const { name, args, callId } = requestOf(atom);
    if (isThinkAloud(name)) return thoughts.aloud(call, { id, args, callId, moment, more });
    const { run, span } = call;
    return createDraft(
      { run, id, label: "tool_call", origin: "derived", span, moment },
      {
        parent: call.parent,
        callId,
        payloadStarted: requestPayload(atom),
        ...more,
      },
    );
  }

  /** What the provider ran has no span of its own. */
  function fail(tool: StepDraft, error: FlowError): void {
    tool.status = "error";
    tool.error = error;
  }

  return {
    requested(call, atom, id, n) {
      told.add(call);
      const request = requestOf(atom);
      const { callId } = request;
      const named = callId ? index.takeTool(callId, call) : undefined;
      lookAtCall(named, call.run, earlier);
      if (callId && named === undefined && earlier !== undefined && !call.run.isEarlier)
        earlier.missesCall(callId);
      const taken = named ?? index.takeSameTool(request, call);
      if (taken !== undefined && named === undefined) taken.callId ??= callId;
      const { ended, moment } = call;
      const step =
        taken ??
        derivedCall(
          call,
          atom,
          id,
          { started: ended, ended, status: "ok" },
          { ...moment, rank: n },
        );
      if (taken !== undefined) {
        addAlias(taken, id);
        const output = outputs.get(taken);
        if (output !== undefined) addAlias(output, `${id}_out`);
        if (taken.label === "tool_call")
          taken.payloadStarted = withRequested(atom, request, taken.payloadStarted);
      }
      addEdge(step, {
        to: call,
        type: "requests",
        ...evidenceOf(taken, callId, named === undefined),
      });
      calls.remember(callId ?? step.callId, step);
      return step;
    },

    fromHistory(call, atom, position, at) {
      const request = requestOf(atom);
      const known = calls.repeated(request, call.run);
      if (known !== undefined) return known;
      const ran = index.takeEarlierTool(request, call);
      if (ran !== undefined) {
        calls.remember(request.callId, ran);
        return ran;
      }
      const step = derivedCall(
        call,
        atom,
        `${call.id}.h${position}`,
        at === undefined ? {} : { started: at, ended: at },
        beforeCall(call.moment, position),
      );
      calls.remember(step.callId, step);
      return step;
    },

    output(call, above, atom, { id, moment, at }, withText) {
      const { tool: asked, isNamed } = calls.answered(atom, above, call.run);
      const same = asked === undefined ? toolsByOutput.take(responseIn(atom), call) : undefined;
      // What answers another call by its id is not that tool's.
      const tool = asked ?? (isIdOfAnother(atom, same) ? undefined : same);
      if (tool?.label === "thought") {
        thoughts.answered(tool, responseIn(atom));
        return tool;
      }
      const isFirst = tool !== undefined && !calls.isShown(tool);
      if (tool !== undefined) calls.show(tool);
      const payload = responsePayload(atom, withText);
      const known = tool === undefined ? undefined : outputs.get(tool);
      if (known !== undefined) {
        // What a model is told of a failure is more than the error, and all that it knows of it.
        const isMore = isFirst && withText && known.label === "tool_error";
        if (isMore) known.payloadCompleted = mergedPayload(known.payloadCompleted, payload);
        known.payloadCompleted ??= payload;
        return known;
      }
      const { run, span } = call;
      const error = failureOf(atom);
      if (tool !== undefined && error !== undefined) fail(tool, error);
      const step =
        tool === undefined
          ? createDraft({ run, id, label: "tool_output", origin: "derived", span, moment })
          : outputDraft(tool, run, moment, !isNamed);
      step.started = tool?.origin === "recorded" ? tool.ended : at;
      step.ended = step.started;
      // An agent that begins with all that another one was told is the first to be given it, mostly.
      step.parent = tool?.origin === "derived" ? tool.parent : call.parent;
      step.payloadCompleted = error === undefined ? payload : { error };
      for (const alias of tool?.aliases ?? []) addAlias(step, `${alias}_out`);
      return step;
    },

    settle() {
      for (const step of recorded) {
        const { label, parent, edges } = step;
        if (label !== "tool_call" || parent?.label !== "assistant_call") continue;
        if (isOwnSpan(step.span.record) || edges.some(({ type }) => type === "requests")) continue;
        addEdge(step, {
          to: parent,
          type: "requests",
          origin: "inferred",
          confidence: CONFIDENCE_INSIDE,
          evidence: "inside of the call",
        });
      }
      joinUntoldRequests(recorded, told, outputs);
    },
  };
}

/** How it is known that a call asked for a tool. */
function evidenceOf(
  tool: StepDraft | undefined,
  callId: string | undefined,
  isAlike: boolean,
): Pick<EdgeDraft, "origin" | "confidence" | "evidence"> {
  const asked = tool && askedBy(tool.span.record);
  if (asked?.origin === "inferred" || (tool !== undefined && isAlike)) {
    const evidence = "same name and arguments";
    return { origin: "inferred", confidence: CONFIDENCE_SAME_ARGUMENTS, evidence };
  }
  return { origin: "observed", ...(callId && { evidence: callId }) };
}

/** What a tool gave, as its own span has it; as text where it is no JSON. Not read before it is written. */
function resultPayload(record: SpanRecord, content: ContentReader): Payload | undefined {
  if (!content.has(record, ATTR_GEN_AI_TOOL_CALL_RESULT)) return undefined;
  return () => ({ result: content.valueOrText(record, ATTR_GEN_AI_TOOL_CALL_RESULT) });
}

function isIdOfAnother({ parts: [part] }: Atom, tool: StepDraft | undefined): boolean {
  const id = part && toolResponseIn(part)?.id;
  return Boolean(id && tool?.callId) && id !== tool?.callId;
}
