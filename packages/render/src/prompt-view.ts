import {
  type CacheBreak,
  type CachePrefix,
  costShares,
  type Prompt,
  type PromptSegment,
  type TokenShares,
} from "@thoughtflow/provenance";
import type { Cost, Session } from "@thoughtflow/schema";
import { oneLine, snippet } from "./clean-text.ts";
import { counted, formatCost, formatCount } from "./figures.ts";
import type { RenderOptions } from "./renderer.ts";
import { idShortener } from "./short-ids.ts";
import { isText, stepName } from "./step-summary.ts";
import { type Ink, inkFrom } from "./terminal-ink.ts";
import { fittedLine, writeLine } from "./terminal-line.ts";
import { wrapColumns } from "./wrap-columns.ts";

/** What is known of a prompt besides its text. */
export interface PromptFigures {
  readonly shares: TokenShares;
  /** Absent for the first call of a session. */
  readonly prefix?: CachePrefix | undefined;
}

/** A model call's prompt for the terminal: a line for each part, with its tokens and its share, and what broke the cache. */
export function renderPrompt(
  session: Session,
  prompt: Prompt,
  figures: PromptFigures,
  options: RenderOptions = {},
): string {
  const ink = inkFrom(options);
  const shorten = idShortener(session);
  const { step } = prompt.call;
  const lines = [
    writeLine(ink, [
      ["title", `Prompt of ${shorten(step.step_id)}`],
      ["faint", `  ${stepName(step)}`],
    ]),
    ...wrapColumns(totalText(prompt, figures.shares), ink.columns).map((text) =>
      writeLine(ink, [["faint", text]]),
    ),
    "",
    ...partLines(prompt, figures, ink, shorten),
    ...prompt.beside.map(({ type, text }) =>
      writeLine(ink, [["faint", `beside the prompt: ${oneLine(type)} ${snippet(text, 60)}`]]),
    ),
    "",
    ...cacheLines(ink, prompt, figures, shorten),
  ];
  return `${lines.join("\n")}\n`;
}

function partLines(
  prompt: Prompt,
  { shares, prefix }: PromptFigures,
  ink: Ink,
  shorten: (id: string) => string,
): readonly string[] {
  const { cost } = prompt.call.step;
  const costs = costShares(prompt, shares);
  const types = prompt.segments.map(({ type }) => oneLine(type));
  const width = Math.min(28, Math.max(0, ...types.map(({ length }) => length)));
  const lines = prompt.segments.map((segment, at) => {
    const tokens = shares.tokens[at] ?? 0;
    const cached = shares.cached[at] ?? 0;
    const paid = costs?.segments[at];
    const share = shares.total === 0 ? 0 : tokens / shares.total;
    const isBroken = prefix?.broken?.segment === segment;
    return fittedLine(
      ink,
      [
        [isBroken ? "error" : "model", `${bar(share)} `],
        [undefined, `${percent(share).padStart(5)} ${formatCount(tokens).padStart(7)}  `],
        ["faint", paid === undefined ? "" : costText(paid, cost).padEnd(13)],
        [isBroken ? "error" : "title", (types[at] ?? "").padEnd(width)],
        ["faint", `  ${rangeText(segment)}`],
      ],
      [undefined, snippet(segment.text, 160)],
      [
        ["answer", cachedText(cached, tokens)],
        ["faint", `  ${nameOf(segment, shorten)}`],
      ],
    );
  });
  const { framing, total } = shares;
  if (framing <= 0) return lines;
  const share = framing / total;
  const figures = `${bar(share)} ${percent(share).padStart(5)} ${formatCount(framing).padStart(7)}`;
  const framed = `${figures}  (framing, and what the file does not hold)`;
  return [...lines, writeLine(ink, [["faint", framed]])];
}

function totalText({ call }: Prompt, { total, totalFrom, sharesFrom }: TokenShares): string {
  const { cost, usage } = call.step;
  const said = {
    provider: "as the provider counted",
    tokenizer: "as the tokenizer counts",
    estimate: "estimated by length",
  }[totalFrom];
  const shares =
    totalFrom === "provider" && sharesFrom === "estimate" ? ", shared out by length" : "";
  const cached = usage?.cache_read_input_tokens;
  const paid = cost?.input ? formatCost({ ...cost, total: cost.input }) : "";
  const cheap = cost?.cached_input ? formatCost({ ...cost, total: cost.cached_input }) : "";
  return [
    `${counted(total, "token")} ${said}${shares}`,
    cached === undefined
      ? ""
      : `${formatCount(cached)} from the cache${cheap === "" ? "" : ` for ${cheap}`}`,
    paid === "" ? "" : `input ${paid}`,
  ]
    .filter((text) => text !== "")
    .join(" · ");
}

function cacheLines(
  ink: Ink,
  prompt: Prompt,
  { prefix, shares: { tokens } }: PromptFigures,
  shorten: (id: string) => string,
): string[] {
  if (prefix === undefined)
    return [writeLine(ink, [["faint", "Cache: the first call of its agent."]])];
  const { previous, segments, broken } = prefix;
  const name = shorten(previous.step.step_id);
  if (broken === undefined) {
    return [
      writeLine(ink, [
        ["answer", `Cache: the whole prompt of ${name} is the beginning of this one.`],
      ]),
    ];
  }
  const kept = tokens.slice(0, segments).reduce((sum, one) => sum + one, 0);
  const lost = prompt.segments.length - segments;
  const same = `       ${counted(kept, "token")} before it ${kept === 1 ? "is" : "are"} the same; ${lost} of ${prompt.segments.length} parts are read anew.`;
  return [
    writeLine(ink, [["error", `Cache: ${breakText(broken, name)}`]]),
    writeLine(ink, [["faint", same]]),
    writeLine(ink, [
      ["faint", "       before  "],
      [undefined, `…${oneLine(broken.before)}…`],
    ]),
    writeLine(ink, [
      ["faint", "       now     "],
      [undefined, `…${oneLine(broken.after)}…`],
    ]),
  ];
}

function breakText({ how, segment, at }: CacheBreak, name: string): string {
  const type = oneLine(segment.type);
  switch (how) {
    case "dropped":
      return `broken because ${type}, which ${name} had here, is not sent any more.`;
    case "added":
      return `broken by ${type}, which ${name} did not have here.`;
    case "changed":
      return `broken in ${type}, character ${formatCount(at)} of it, against ${name}.`;
  }
}

function costText(amount: string, cost: Cost | undefined): string {
  return cost === undefined ? "" : formatCost({ ...cost, total: amount });
}

function cachedText(cached: number, tokens: number): string {
  if (cached === 0) return "";
  return cached === tokens ? "  cached" : `  ${formatCount(cached)} cached`;
}

function rangeText({ range }: PromptSegment): string {
  return range === undefined ? "" : `[${range.start}–${range.end}]  `;
}

function nameOf({ id, version, step }: PromptSegment, shorten: (id: string) => string): string {
  const name = id ?? step?.step.step_id;
  return [name === undefined ? "" : shorten(oneLine(name)), version ?? ""].filter(isText).join(" ");
}

/** `54%`, below ten with a decimal: small parts are told apart under large ones. */
function percent(share: number): string {
  const value = share * 100;
  if (value > 0 && value < 0.1) return "<0.1%";
  return value < 9.95 ? `${value.toFixed(1)}%` : `${Math.round(value)}%`;
}

const CELLS = 10;
/** A cell that is filled by so many eighths. */
const EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"] as const;

function bar(share: number): string {
  const eighths = Math.round(Math.min(1, share) * CELLS * EIGHTHS.length);
  const filled = share > 0 ? Math.max(1, eighths) : 0;
  const text = "█".repeat(Math.floor(filled / EIGHTHS.length)) + EIGHTHS[filled % EIGHTHS.length];
  return text + "·".repeat(CELLS - text.length);
}
