import { statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import {
  type CachePrefix,
  cachePrefixOf,
  type Prompt,
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
import type { Command, CommandArguments } from "../command.ts";
import { badArguments } from "../command-error.ts";
import type { CommandIo } from "../command-io.ts";
import { ExitCode } from "../exit-code.ts";
import { DIR_OPTION, flowDirectory } from "../flow-directory.ts";
import { FORMAT_OPTION } from "../format-option.ts";
import { jsonText } from "../json-text.ts";
import { type ChosenStep, chosenStep, STEP_OPERAND } from "../step-operand.ts";
import { terminalRendering } from "../terminal-rendering.ts";
import { tokenizerOf } from "../tokenizer.ts";
import { withWholeTexts } from "../whole-texts.ts";

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
    const chosen = await chosenStep(args, io, lastCall);
    const session = withWholeTexts(chosen.session, blobDirectory(args, io));
    const call = callOf(session, inSession(session, chosen));
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

/** Beside the file that the command line names, else in the flow directory. */
function blobDirectory(args: CommandArguments, io: CommandIo): string {
  const [word = ""] = args.positionals;
  const path = resolve(io.cwd, word);
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  return join(isFile ? dirname(path) : flowDirectory(args, io), "blobs");
}

/** The same step of a copy of its session. */
function inSession(copy: Session, { session, placed }: ChosenStep): PlacedStep {
  const at = session.conversations.indexOf(placed.run);
  const run = copy.conversations[at] ?? placed.run;
  return { run, step: run.steps[placed.run.steps.indexOf(placed.step)] ?? placed.step };
}

function lastCall({ conversations }: Session): PlacedStep | undefined {
  const placed = conversations.flatMap((run) => run.steps.map((step) => ({ run, step })));
  return placed.findLast(({ step }) => step.label === "assistant_call");
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
  { call, segments, beside }: Prompt,
  { tokens, ...totals }: TokenShares,
  prefix: CachePrefix | undefined,
): object {
  const { cost, usage } = call.step;
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
      cost: costShare(cost?.input, tokens[at], totals.total),
    })),
    beside,
    cache: prefix && {
      previous: prefix.previous.step.step_id,
      same_parts: prefix.segments,
      broken: prefix.broken && {
        ...prefix.broken,
        segment: prefix.broken.segment && segments.indexOf(prefix.broken.segment),
      },
    },
  };
}

function costShare(
  input: string | null | undefined,
  tokens: number | undefined,
  total: number,
): number | undefined {
  if (input === undefined || input === null || tokens === undefined || total === 0)
    return undefined;
  return (Number(input) * tokens) / total;
}
