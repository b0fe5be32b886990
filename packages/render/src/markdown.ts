import type { Run, Session, Step } from "@thoughtflow/schema";
import { agentLines } from "./agent-tree.ts";
import { oneLine, snippet } from "./clean-text.ts";
import { formatCount, formatDuration, formatUsage } from "./figures.ts";
import { runFigures, runHeading, sessionFigures, sessionTitle, totalsOf } from "./flow-title.ts";
import { markdownFence, markdownHtml, markdownQuote, markdownText } from "./markdown-text.ts";
import type { Renderer, RenderOptions } from "./renderer.ts";
import { stepDetails } from "./step-details.ts";
import { labelWord } from "./step-kind.ts";
import { stepState } from "./step-state.ts";
import { stepSummary, toolResult } from "./step-summary.ts";
import { thoughtHeading } from "./thought-facts.ts";
import type { ThreadEntry } from "./thread-entries.ts";
import { type Extract, threadsOf } from "./thread-extracts.ts";

/**
 * The session as Markdown to paste into a pull request: totals in a table, who asked whom, then each run's thread, with what was
 * said in the open and what was done to unfold. Stays below the 65,536 characters that code hosts take by showing
 * less of each step, then fewer steps, at last only the runs. Data is text throughout: no HTML, image, link or mention of its own.
 */
export const markdown: Renderer = {
  name: "markdown",
  mediaType: "text/markdown; charset=utf-8",
  fileExtension: ".md",
  render: renderMarkdown,
};

const maxCharacters = 64_000;

/** How much is shown: which steps, and of each, characters of what was said, and of what can be unfolded. */
interface Measure {
  readonly extract: Extract;
  readonly said: number;
  readonly details: number;
}

const measures: readonly Measure[] = [
  { extract: "whole", said: 6000, details: 3000 },
  { extract: "whole", said: 800, details: 600 },
  { extract: "whole", said: 200, details: 0 },
  { extract: "talk", said: 800, details: 0 },
  { extract: "talk", said: 200, details: 0 },
  { extract: "ends", said: 800, details: 0 },
  { extract: "ends", said: 200, details: 0 },
];

/** What a reader would miss otherwise. */
const notes: Readonly<Record<Extract, string>> = {
  whole: "",
  talk: "*Too long to show each step: here is what was said, what failed, and who was asked.*",
  ends: "*Too long to show each step: here is what each run began and ended with.*",
};
const nothingShown = "*Too long to show any step: here are its runs.*";

function renderMarkdown(session: Session, options: RenderOptions = {}): string {
  const runs = [...session.conversations.entries()].filter(
    ([, run]) => options.run === undefined || run.conversation_id === options.run,
  );
  const threads = threadsOf(session);
  for (const measure of measures) {
    const text = write(session, runs, notes[measure.extract], (run) =>
      threads(run, measure.extract).flatMap((entry) => entryBlocks(entry, measure)),
    );
    if (text.length <= maxCharacters) return text;
  }
  const shown = runs.slice(0, 250);
  const left = runs.length - shown.length;
  const more = left === 0 ? "" : `\n… and ${formatCount(left)} more runs.\n`;
  return `${write(session, shown, nothingShown, () => [])}${more}`;
}

function write(
  session: Session,
  runs: readonly (readonly [number, Run])[],
  note: string,
  thread: (run: Run) => readonly string[],
): string {
  const blocks = [
    `# ${markdownText(sessionTitle(session))}`,
    `Session ${code(session.session_id)} · ${sessionFigures(session).map(markdownText).join(" · ")}`,
    totalsTable(session),
    ...(session.warnings ?? [])
      .slice(0, 10)
      .map(({ code: kind, message }) => `⚠️ ${code(kind)} ${markdownText(snippet(message, 300))}`),
    agentList(session),
    note,
    ...runs.flatMap(([place, run]) => [
      `## Run ${place + 1}: ${markdownText(runHeading(run, 80))}`,
      runFigures(run).map(markdownText).join(" · "),
      ...thread(run),
    ]),
  ];
  return `${blocks.filter((block) => block !== "").join("\n\n")}\n`;
}

function totalsTable(session: Session): string {
  const totals = totalsOf(session.conversations, session.totals);
  const cells: readonly (readonly [string, number | undefined])[] = [
    ["runs", session.conversations.length],
    ["steps", totals.steps],
    ["model calls", totals.model_calls],
    ["tool calls", totals.tool_calls],
    ["thoughts", totals.thoughts],
    ["branches", totals.branches],
    ["errors", totals.errors],
    ["input tokens", totals.input_tokens],
    ["output tokens", totals.output_tokens],
  ];
  const known = cells.filter(([, count]) => count !== undefined);
  const row = (items: readonly string[]): string => `| ${items.join(" | ")} |`;
  return [
    row(known.map(([name]) => name)),
    row(known.map(() => "---:")),
    row(known.map(([, count]) => formatCount(count ?? 0))),
  ].join("\n");
}

function agentList(session: Session): string {
  return agentLines(session)
    .map(({ depth, name, figures }) => {
      const about = [`**${markdownText(snippet(name, 80))}**`, ...figures.map(markdownText)].join(
        " · ",
      );
      return `${"  ".repeat(depth)}- ${about}`;
    })
    .join("\n");
}

function entryBlocks(entry: ThreadEntry, measure: Measure): readonly string[] {
  const { agent } = entry;
  const blocks = stepBlocks(entry, measure);
  return agent === undefined ? blocks : [`◇ *${markdownText(agent)}*`, ...blocks];
}

function stepBlocks({ step, prominence, text }: ThreadEntry, measure: Measure): readonly string[] {
  const word = oneLine(labelWord(step)).slice(0, 40);
  const failed = stepState(step) === "error";
  if (prominence === "said" && text !== undefined) {
    const facts = thoughtHeading(step).map(markdownText);
    const about = facts.length === 0 ? "" : ` (${facts.join(", ")})`;
    return [`**${markdownText(capital(word))}**${about}`, markdownQuote(cut(text, measure.said))];
  }
  const figures = [
    step.duration_ms ? formatDuration(step.duration_ms) : "",
    formatUsage(step.usage),
  ];
  const heading = [stepSummary(step, 120), ...figures].filter((part) => part !== "").join(" · ");
  if (measure.details === 0) {
    return prominence === "background" && !failed
      ? []
      : [`${failed ? "❌ " : ""}**${markdownText(word)}** ${markdownText(heading)}`];
  }
  const summary = `${failed ? "❌ " : ""}<b>${markdownHtml(word)}</b> ${markdownHtml(heading)}`;
  const said = text === undefined ? [] : [markdownQuote(cut(text, measure.said))];
  return [
    `<details><summary>${summary}</summary>`,
    ...detailBlocks(step, measure.details),
    "</details>",
    ...said,
  ];
}

function detailBlocks(step: Step, limit: number): readonly string[] {
  const facts = stepDetails(step)
    .filter(([name]) => name !== "text" && name !== "result" && name !== "arguments")
    .map(([name, value]) => `${name}: ${value}`);
  const { payload_started: started } = step;
  const input = started?.["args"] ?? started?.["arguments"] ?? started?.["args_text"];
  return [
    markdownFence(facts.join("\n"), "yaml"),
    ...[input, toolResult(step)].flatMap((value) =>
      value === undefined || isEmptyObject(value) ? [] : [valueBlock(value, limit)],
    ),
  ];
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

function valueBlock(value: unknown, limit: number): string {
  if (typeof value === "string") return markdownFence(cut(value, limit), "text");
  let json: string | undefined;
  try {
    json = JSON.stringify(value, null, 2);
  } catch {
    // A document that was not read from JSON may hold a cycle.
  }
  return markdownFence(cut(json ?? String(value), limit), "json");
}

/** What the note of a cut takes: no text is cut that is longer by less. */
const cutNote = 30;

function cut(text: string, limit: number): string {
  return text.length <= limit + cutNote
    ? text
    : `${text.slice(0, limit)}\n… ${formatCount(text.length - limit)} more characters`;
}

function code(text: string): string {
  return `<code>${markdownHtml(snippet(text, 200))}</code>`;
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
