import type { ImpactOfSession } from "@thoughtflow/provenance";
import type { Step } from "@thoughtflow/schema";
import { oneLine } from "./clean-text.ts";
import { counted } from "./figures.ts";
import { sessionTitle } from "./flow-title.ts";
import { kindsOf } from "./kinds-of-steps.ts";
import type { RenderOptions } from "./renderer.ts";
import { idShortener } from "./short-ids.ts";
import { kindOf, labelWord } from "./step-kind.ts";
import { stepState } from "./step-state.ts";
import { type Ink, inkFrom } from "./terminal-ink.ts";
import { fittedLine, stateMark, writeLine } from "./terminal-line.ts";
import { summaryOf } from "./thought-facts.ts";
import { wrapColumns } from "./wrap-columns.ts";

const SHOWN_STEPS = 6;
const SHOWN_SESSIONS = 40;
const SHOWN_SUBJECTS = 3;

/** What came of a step is read in these; the steps between are counted. */
const ENDS: ReadonlySet<string> = new Set([
  "assistant_message",
  "tool_call",
  "memory_write",
  "handoff",
  "evaluation",
]);

/**
 * What rests on a subject, for the terminal: what the subject is, and session by session what the agent said and did on
 * the ground of it.
 */
export function renderImpact(
  subject: string,
  impacts: readonly ImpactOfSession[],
  options: RenderOptions = {},
): string {
  const ink = inkFrom(options);
  const steps = impacts.flatMap((one) => one.steps.map(({ step }) => step));
  const failed = steps.filter(hasFailed).length;
  const kinds = steps.length === 0 ? "" : `: ${kindsOf(steps)}`;
  const total = `${counted(steps.length, "step")} in ${counted(impacts.length, "session")}`;
  const lines = [
    writeLine(ink, [["title", `What rests on ${oneLine(subject)}`]]),
    ...subjectLines(impacts, ink),
    ...wrapColumns(
      `${total}${kinds}${failed === 0 ? "" : `; ${counted(failed, "failure")}`}`,
      ink.columns,
    ).map((text) => writeLine(ink, [["faint", text]])),
  ];
  for (const impact of impacts.slice(0, SHOWN_SESSIONS))
    lines.push("", ...sessionLines(impact, ink));
  const left = impacts.length - SHOWN_SESSIONS;
  if (left > 0) lines.push("", writeLine(ink, [["faint", `… ${counted(left, "more session")}`]]));
  return `${lines.join("\n")}\n`;
}

/** What the subject says itself, each wording once; of a part, how many prompts have it. */
function subjectLines(impacts: readonly ImpactOfSession[], ink: Ink): readonly string[] {
  const said = new Map<string, { readonly step: Step; count: number }>();
  let prompts = 0;
  for (const { subjects, steps } of impacts) {
    const affected = new Set(steps.map(({ step }) => step));
    for (const { step } of subjects) {
      // A call whose prompt has the part rests on it itself.
      if (affected.has(step)) {
        prompts += 1;
        continue;
      }
      const key = `${step.label} ${summaryOf(step)}`;
      const known = said.get(key);
      if (known === undefined) said.set(key, { step, count: 1 });
      else known.count += 1;
    }
  }
  const more = said.size - SHOWN_SUBJECTS;
  return [
    ...[...said.values()]
      .slice(0, SHOWN_SUBJECTS)
      .map(({ step, count }) =>
        fittedLine(
          ink,
          [[kindOf(step), `${oneLine(labelWord(step))} `]],
          [undefined, summaryOf(step)],
          [["faint", count === 1 ? "" : `  ×${count}`]],
        ),
      ),
    ...(more > 0 ? [writeLine(ink, [["faint", `… and ${more} more of that name`]])] : []),
    ...(prompts > 0
      ? [writeLine(ink, [[undefined, `a part of ${counted(prompts, "prompt")}`]])]
      : []),
  ];
}

function sessionLines({ session, steps: affected }: ImpactOfSession, ink: Ink): readonly string[] {
  const shorten = idShortener(session);
  const steps = affected.map(({ step }) => step);
  const shown = steps.filter((step) => ENDS.has(step.label) || hasFailed(step));
  shown.splice(SHOWN_STEPS);
  const others = steps.filter((step) => !shown.includes(step));
  return [
    fittedLine(
      ink,
      [["title", ""]],
      ["title", sessionTitle(session)],
      [["faint", `  ${session.session_id} · ${counted(steps.length, "step")}`]],
    ),
    ...shown.map((step) =>
      fittedLine(
        ink,
        [
          ["faint", "   "],
          stateMark(stepState(step)),
          [kindOf(step), `${oneLine(labelWord(step))} `],
        ],
        [undefined, summaryOf(step)],
        [["faint", `  ${shorten(step.step_id)}`]],
      ),
    ),
    ...(others.length > 0
      ? [writeLine(ink, [["faint", `   ${shown.length > 0 ? "… and " : ""}${kindsOf(others)}`]])]
      : []),
  ];
}

function hasFailed(step: Step): boolean {
  return stepState(step) === "error";
}
