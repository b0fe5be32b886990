import type { ImpactOfSession } from "@thoughtflow/provenance";
import type { Step } from "@thoughtflow/schema";
import { oneLine } from "./clean-text.ts";
import { counted } from "./figures.ts";
import { sessionTitle } from "./flow-title.ts";
import type { RenderOptions } from "./renderer.ts";
import { idShortener } from "./short-ids.ts";
import { kindOf, labelWord } from "./step-kind.ts";
import { stepState } from "./step-state.ts";
import { stepSummary } from "./step-summary.ts";
import { inkFrom } from "./terminal-ink.ts";
import { fittedLine, stateMark, writeLine } from "./terminal-line.ts";

const SHOWN_STEPS = 6;
const SHOWN_SESSIONS = 40;

/** What came of a step is read in these; the steps between are counted. */
const ENDS: ReadonlySet<string> = new Set([
  "assistant_message",
  "tool_call",
  "memory_write",
  "handoff",
  "evaluation",
]);

/** What rests on a subject, for the terminal: session by session, what the agent said and did on the ground of it. */
export function renderImpact(
  subject: string,
  impacts: readonly ImpactOfSession[],
  options: RenderOptions = {},
): string {
  const ink = inkFrom(options);
  const steps = impacts.reduce((sum, one) => sum + one.steps.length, 0);
  const failed = impacts.reduce((sum, one) => sum + one.steps.filter(hasFailed).length, 0);
  const lines = [
    writeLine(ink, [["title", `What rests on ${oneLine(subject)}`]]),
    writeLine(ink, [
      [
        "faint",
        `${counted(steps, "step")} in ${counted(impacts.length, "session")}${failed === 0 ? "" : `, ${failed} of them failed`}`,
      ],
    ]),
  ];
  for (const { session, steps: affected } of impacts.slice(0, SHOWN_SESSIONS)) {
    const shorten = idShortener(session);
    lines.push(
      "",
      fittedLine(
        ink,
        [["title", ""]],
        ["title", sessionTitle(session)],
        [["faint", `  ${session.session_id} · ${counted(affected.length, "step")}`]],
      ),
    );
    const ends = affected.filter(({ step }) => ENDS.has(step.label) || hasFailed({ step }));
    for (const { step } of ends.slice(0, SHOWN_STEPS)) {
      lines.push(
        fittedLine(
          ink,
          [
            ["faint", "   "],
            stateMark(stepState(step)),
            [kindOf(step), `${oneLine(labelWord(step))} `],
          ],
          [undefined, stepSummary(step, 160)],
          [["faint", `  ${shorten(step.step_id)}`]],
        ),
      );
    }
    const left = affected.length - Math.min(ends.length, SHOWN_STEPS);
    if (left > 0) lines.push(writeLine(ink, [["faint", `   … ${counted(left, "more step")}`]]));
  }
  const left = impacts.length - SHOWN_SESSIONS;
  if (left > 0) lines.push("", writeLine(ink, [["faint", `… ${counted(left, "more session")}`]]));
  return `${lines.join("\n")}\n`;
}

function hasFailed({ step }: { readonly step: Step }): boolean {
  return stepState(step) === "error";
}
