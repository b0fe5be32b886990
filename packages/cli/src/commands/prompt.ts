import {
  type CacheBreak,
  type CachePrefix,
  cachePrefixOf,
  costShares,
  type Prompt,
  type PromptSegment,
  previousCall,
  promptOf,
  type TokenShares,
  tokenShares,
} from "@thoughtflow/provenance";
import { renderPrompt } from "@thoughtflow/render";
import {
  createStepIndex,
  dependenciesOf,
  type PlacedStep,
  type Session,
} from "@thoughtflow/schema";
import type { Command } from "../command.ts";
import { badArguments } from "../command-error.ts";
import { ExitCode } from "../exit-code.ts";
import { DIR_OPTION } from "../flow-directory.ts";
import { FORMAT_OPTION } from "../format-option.ts";
import { jsonText } from "../json-text.ts";
import { lastOfMainAgent } from "../main-agent.ts";
import { chosenStep, STEP_OPERAND } from "../step-operand.ts";
import { terminalRendering } from "../terminal-rendering.ts";
import { tokenizerOf } from "../tokenizer.ts";

export const prompt: Command = {
  operands: STEP_OPERAND,
  count: { min: 0, max: 2 },
  options: {
    tokenizer: {
      value: "MODULE",
      summary: "count each part with this module's countTokens(text) or encode(text)",
    },
    format: FORMAT_OPTION,
    dir: DIR_OPTION,
  },
  async run(args, io) {
    const { session, placed } = await chosenStep(args, io, lastCall, "model call");
    const call = callOf(session, placed);
    const module = args.text("tokenizer");
    const count = module === undefined ? undefined : await tokenizerOf(module, io);
    const shown = promptOf(session, call);
    const shares = tokenShares(shown, count);
    const earlier = previousCall(session, call);
    const prefix = earlier && cachePrefixOf(shown, promptOf(session, earlier));
    const format = args.text("format") ?? "pretty";
    if (format === "pretty") {
      io.out(renderPrompt(session, shown, { shares, prefix }, terminalRendering(args, io)));
    } else {
      io.out(jsonText(toEntry(session, shown, shares, prefix), format));
    }
    return ExitCode.ok;
  },
};

function lastCall(session: Session): PlacedStep | undefined {
  return lastOfMainAgent(session, ({ label }) => label === "assistant_call");
}

/** The call itself, or the one that an answer or a tool call came from. */
function callOf(session: Session, { run, step }: PlacedStep): PlacedStep {
  if (step.label === "assistant_call") return { run, step };
  const index = createStepIndex(session);
  const calls = dependenciesOf(step).flatMap((id) => index(id, run) ?? []);
  const call = calls.find((placed) => placed.step.label === "assistant_call");
  if (call !== undefined) return call;
  throw badArguments(`${step.step_id} is no model call and comes from none: it has no prompt.`);
}

function toEntry(
  { session_id }: Session,
  shown: Prompt,
  shares: TokenShares,
  prefix: CachePrefix | undefined,
): object {
  const { call, segments, beside } = shown;
  const { cost, usage } = call.step;
  const { tokens, cached, ...totals } = shares;
  const costs = costShares(shown, shares);
  return {
    session_id,
    run_id: call.run.conversation_id,
    step_id: call.step.step_id,
    usage,
    cost,
    tokens: totals,
    parts: segments.map(({ step, ...segment }, at) => ({
      ...segment,
      step_id: step?.step.step_id,
      tokens: tokens[at],
      ...(cached[at] !== 0 && { cached_tokens: cached[at] }),
      cost: costs?.segments[at],
    })),
    beside,
    cache: prefix && {
      previous: prefix.previous.step.step_id,
      same_parts: prefix.segments,
      broken: prefix.broken && breakEntry(prefix.broken, segments),
    },
  };
}

/** `part` counts the parts of this prompt; one that was dropped is none of them. */
function breakEntry(
  { segment, ...broken }: CacheBreak,
  segments: readonly PromptSegment[],
): object {
  const part = segments.indexOf(segment);
  return { ...broken, type: segment.type, id: segment.id, ...(part >= 0 && { part }) };
}
