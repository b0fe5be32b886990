import type { Session, Step } from "@thoughtflow/schema";
import { oneLine } from "./clean-text.ts";
import { figureLines } from "./figure-lines.ts";
import { formatCost, formatDuration, formatUsage } from "./figures.ts";
import { revisedWord } from "./flow-labels.ts";
import { runFigures, runHeading, sessionFigures, sessionTitle } from "./flow-title.ts";
import { otherSessionsOf } from "./other-sessions.ts";
import { fitColumns, plainText } from "./plain-text.ts";
import type { Renderer, RenderOptions } from "./renderer.ts";
import { revisedSteps } from "./revised-steps.ts";
import { kindOf, labelWord } from "./step-kind.ts";
import { stepState } from "./step-state.ts";
import { stepSummary } from "./step-summary.ts";
import { type Ink, inkFrom, stateMarks, type Tone } from "./terminal-ink.ts";
import { thoughtChoices, thoughtHeading } from "./thought-facts.ts";
import { agentNamesOf, type ThreadEntry, threadOf } from "./thread-entries.ts";
import { wrapColumns } from "./wrap-columns.ts";

/** The session as a conversation to read in the terminal: messages, thoughts and answers in full, the rest in a line each. */
export const thread: Renderer = {
  name: "thread",
  mediaType: "text/plain; charset=utf-8",
  fileExtension: ".txt",
  render: renderThread,
};

const longestText = 20_000;

function renderThread(session: Session, options: RenderOptions = {}): string {
  const ink = inkFrom(options);
  const revised = revisedSteps(session);
  const names = agentNamesOf(session);
  const lines = [
    line(ink, "title", sessionTitle(session)),
    ...figureLines(sessionFigures(session), ink.columns).map((figures) =>
      line(ink, "other", figures),
    ),
    ...[session.session_id, ...otherSessionsOf(session)].map((told) => line(ink, "faint", told)),
  ];
  for (const [place, run] of session.conversations.entries()) {
    if (options.run !== undefined && run.conversation_id !== options.run) continue;
    lines.push(
      "",
      line(ink, "title", `── Run ${place + 1}: ${runHeading(run, 60)}`),
      ...figureLines(runFigures(run), ink.columns - 3).map((figures) =>
        line(ink, "faint", `   ${figures}`),
      ),
    );
    for (const entry of threadOf(run, names)) {
      if (entry.agent !== undefined) lines.push("", line(ink, "agent", `◇ ${entry.agent}`));
      for (const shown of entryLines(entry, ink, revised)) lines.push(shown);
    }
  }
  return `${lines.join("\n")}\n`;
}

function entryLines(
  { step, prominence, text }: ThreadEntry,
  ink: Ink,
  revised: ReadonlyMap<Step, string>,
): readonly string[] {
  const state = stepState(step);
  const tone = state === "error" ? "error" : kindOf(step);
  const mark = state === "ok" ? "" : `${stateMarks[state]} `;
  const word = `${mark}${oneLine(labelWord(step))}`;
  if (prominence === "background")
    return [line(ink, "faint", `· ${word}: ${stepSummary(step, 160)}`)];
  if (prominence === "said" && text !== undefined) {
    const by = revised.get(step);
    const heading = [
      word,
      ...thoughtHeading(step),
      ...(by === undefined ? [] : [revisedWord(by)]),
      ...figuresOf(step),
    ];
    return [
      "",
      line(ink, tone, heading.join(" · ")),
      ...textLines(text, ink),
      ...thoughtChoices(step).map((choice) => line(ink, "faint", `   ${choice}`)),
    ];
  }
  const summary = `${word} ${[stepSummary(step, 240), ...figuresOf(step)].join(" · ")}`;
  const said = text === undefined ? [] : textLines(text, ink);
  return [...(kindOf(step) === "model" ? [""] : []), line(ink, tone, summary), ...said];
}

function figuresOf(step: Step): readonly string[] {
  return [
    step.duration_ms ? formatDuration(step.duration_ms) : "",
    formatUsage(step.usage),
    formatCost(step.cost),
  ].filter((figure) => figure !== "");
}

function line(ink: Ink, tone: Tone, text: string): string {
  const fitted = fitColumns(plainText(text).replaceAll("\n", " "), ink.columns);
  return ink.paint(tone, ink.line(fitted));
}

/** A text in full, wrapped to the terminal, indented. */
function textLines(text: string, ink: Ink): readonly string[] {
  const left = text.length - longestText;
  const shown = plainText(text.slice(0, longestText)).trim();
  const rest = left > 0 ? [`… ${left} more characters`] : [];
  return [...shown.split("\n"), ...rest].flatMap((paragraph) =>
    wrapColumns(paragraph.replaceAll("\t", "  ").trimEnd(), ink.columns - 3).map((each) =>
      ink.line(`   ${each}`).trimEnd(),
    ),
  );
}
