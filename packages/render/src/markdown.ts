import type { Run, Session, Step } from "@thoughtflow/schema";
import { oneLine, snippet } from "./clean-text.ts";
import { counted, formatCount, formatDuration, formatUsage } from "./figures.ts";
import { runFigures, runTitle, sessionFigures, sessionTitle, totalsOf } from "./flow-title.ts";
import { markdownFence, markdownHtml, markdownQuote, markdownText } from "./markdown-text.ts";
import type { Renderer, RenderOptions } from "./renderer.ts";
import { stepDetails } from "./step-details.ts";
import { labelWord } from "./step-kind.ts";
import { stepState } from "./step-state.ts";
import { stepSummary, toolResult } from "./step-summary.ts";
import { thoughtHeading } from "./thought-facts.ts";
import { agentNamesOf, type ThreadEntry, threadOf } from "./thread-entries.ts";

/**
 * The session as Markdown to paste into a pull request: totals in a table, then each run's thread, with what was
 * said in the open and what was done to unfold. Stays below the 65,536 characters that code hosts take by showing
 * less of each step, then only how each run began and ended, at last only the runs, and says what it leaves out. Data is
 * text throughout: no HTML, image, link or mention of its own.
 */
export const markdown: Renderer = {
  name: "markdown",
  mediaType: "text/markdown; charset=utf-8",
  fileExtension: ".md",
  render: renderMarkdown,
};

const maxCharacters = 64_000;

/** How much of a step is shown: characters of what was said, and of what can be unfolded. */
interface Measure {
  readonly said: number;
  readonly details: number;
}

const least: Measure = { said: 200, details: 0 };
const measures: readonly Measure[] = [
  { said: 6000, details: 3000 },
  { said: 800, details: 600 },
  least,
];
/** So many steps of each run at its beginning, and at its end, where all of them are too many. */
const stretches: readonly number[] = [320, 160, 80, 40, 20, 10, 5, 2];

function renderMarkdown(session: Session, options: RenderOptions = {}): string {
  const runs = [...session.conversations.entries()].filter(
    ([, run]) => options.run === undefined || run.conversation_id === options.run,
  );
  const names = agentNamesOf(session);
  for (const measure of measures) {
    const text = write(session, runs, (run) =>
      threadOf(run, names).flatMap((entry) => entryBlocks(entry, measure)),
    );
    if (text.length <= maxCharacters) return text;
  }
  const shown = runs.slice(0, 250);
  const threads = new Map(shown.map(([, run]) => [run, threadOf(run, names)]));
  for (const stretch of shown.length === runs.length ? stretches : []) {
    const text = write(session, shown, (run) => endBlocks(threads.get(run) ?? [], stretch));
    if (text.length <= maxCharacters) return text;
  }
  const left = runs.length - shown.length;
  const more = left === 0 ? "" : `\n… and ${formatCount(left)} more runs.\n`;
  const text = write(session, shown, () => []);
  return `${text}${more}\nThe steps of all runs are left out: they are too many for one page.\n`;
}

/** How a thread begins and ends. */
function endBlocks(entries: readonly ThreadEntry[], stretch: number): readonly string[] {
  const blocksOf = (some: readonly ThreadEntry[]) =>
    some.flatMap((entry) => entryBlocks(entry, least));
  const between = entries.length - 2 * stretch;
  if (between <= 0) return blocksOf(entries);
  const [first, ...others] = entries.slice(-stretch);
  // Whose steps they are was perhaps said between.
  const agent = entries.slice(0, 1 - stretch).findLast((entry) => entry.agent !== undefined)?.agent;
  return [
    ...blocksOf(entries.slice(0, stretch)),
    `… ${counted(between, "step")} ${between === 1 ? "is" : "are"} left out here.`,
    ...(first === undefined ? [] : blocksOf([{ ...first, agent }, ...others])),
  ];
}

function write(
  session: Session,
  runs: readonly (readonly [number, Run])[],
  thread: (run: Run) => readonly string[],
): string {
  const blocks = [
    `# ${markdownText(sessionTitle(session))}`,
    `Session ${code(session.session_id)} · ${sessionFigures(session).map(markdownText).join(" · ")}`,
    totalsTable(session),
    ...(session.warnings ?? [])
      .slice(0, 10)
      .map(({ code: kind, message }) => `⚠️ ${code(kind)} ${markdownText(snippet(message, 300))}`),
    ...runs.flatMap(([place, run]) => [
      `## Run ${place + 1}: ${markdownText(runTitle(run, 80))}`,
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
