import { type WhyNode, whyOf } from "@thoughtflow/provenance";
import { renderWhy } from "@thoughtflow/render";
import type { PlacedStep, Session } from "@thoughtflow/schema";
import type { Command } from "../command.ts";
import { ExitCode } from "../exit-code.ts";
import { DIR_OPTION } from "../flow-directory.ts";
import { FORMAT_OPTION } from "../format-option.ts";
import { jsonText } from "../json-text.ts";
import { lastOfMainAgent } from "../main-agent.ts";
import { chosenStep, STEP_OPERAND } from "../step-operand.ts";
import { terminalRendering } from "../terminal-rendering.ts";

export const why: Command = {
  operands: STEP_OPERAND,
  count: { min: 0, max: 2 },
  options: { format: FORMAT_OPTION, dir: DIR_OPTION },
  async run(args, io) {
    const { session, placed } = await chosenStep(args, io, lastAnswer);
    const answer = whyOf(session, placed);
    const format = args.text("format") ?? "pretty";
    if (format === "pretty") io.out(renderWhy(session, answer, terminalRendering(args, io)));
    else io.out(jsonText({ session_id: session.session_id, ...toEntry(answer.top) }, format));
    return ExitCode.ok;
  },
};

/** What most people ask about: the last thing that the main agent said, else the last step. */
function lastAnswer(session: Session): PlacedStep | undefined {
  const answer = lastOfMainAgent(session, ({ label }) => label === "assistant_message");
  return answer ?? lastOfMainAgent(session, () => true);
}

/** Levels of JSON that every reader can read; what lies deeper is asked for by the step it lies below. */
const DEEPEST = 500;

function toEntry({ placed, id, edge, doubts, causes, seen }: WhyNode, depth = 1): object {
  const below = causes.length > 0 && !seen;
  return {
    step_id: placed?.step.step_id ?? id,
    ...(placed !== undefined && { run_id: placed.run.conversation_id, label: placed.step.label }),
    ...(edge !== undefined && { edge }),
    ...(doubts.length > 0 && { doubts }),
    ...(seen && { seen }),
    ...(below &&
      (depth < DEEPEST
        ? { rests_on: causes.map((cause) => toEntry(cause, depth + 1)) }
        : { goes_on: true })),
  };
}
