import type { CachePrefix, Prompt, PromptSegment, TokenShares } from "@thoughtflow/provenance";
import type { Cost, Session } from "@thoughtflow/schema";
import { oneLine, snippet } from "./clean-text.ts";
import { formatCost, formatCount } from "./figures.ts";
import type { RenderOptions } from "./renderer.ts";
import { idShortener } from "./short-ids.ts";
import { isText, stepName } from "./step-summary.ts";
import { type Ink, inkFrom } from "./terminal-ink.ts";
import { fittedLine, type Piece, writeLine } from "./terminal-line.ts";

/** What is known of a prompt besides its text. */
export interface PromptFigures {
  readonly shares: TokenShares;
  /** Absent for the first call of a session. */
  readonly prefix?: CachePrefix | undefined;
}

const BAR = 10;

/** A model call's prompt for the terminal: a line for each part, with its tokens and its share, and what broke the cache. */
export function renderPrompt(
  session: Session,
  prompt: Prompt,
  { shares, prefix }: PromptFigures,
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
    writeLine(ink, [["faint", totalLine(prompt, shares)]]),
    "",
  ];
  const input = step.cost?.input;
  const paid = typeof input === "string" ? Number(input) : undefined;
  const types = prompt.segments.map(typeText);
  const width = Math.min(28, Math.max(0, ...types.map(({ length }) => length)));
  for (const [at, segment] of prompt.segments.entries()) {
    const tokens = shares.tokens[at] ?? 0;
    const share = shares.total === 0 ? 0 : tokens / shares.total;
    const isBroken = prefix?.broken?.segment === segment;
    lines.push(
      fittedLine(
        ink,
        [
          [isBroken ? "error" : "model", `${bar(share)} `],
          [undefined, `${percent(share).padStart(4)} ${formatCount(tokens).padStart(7)}  `],
          ["faint", paid === undefined ? "" : costText(paid * share, step.cost).padEnd(13)],
          [isBroken ? "error" : "title", (types[at] ?? "").padEnd(width)],
          ["faint", `  ${rangeText(segment)}`],
        ],
        [undefined, snippet(segment.text, 160)],
        [["faint", `  ${nameOf(segment, shorten)}`]],
      ),
    );
  }
  if (shares.framing > 0) {
    lines.push(
      writeLine(ink, [
        [
          "faint",
          `${bar(shares.framing / shares.total)} ${percent(shares.framing / shares.total).padStart(4)} ${formatCount(shares.framing).padStart(7)}  (framing, and what the file does not hold)`,
        ],
      ]),
    );
  }
  for (const { type, text } of prompt.beside) {
    lines.push(
      writeLine(ink, [["faint", `beside the prompt: ${oneLine(type)} ${snippet(text, 60)}`]]),
    );
  }
  lines.push("", ...cacheLines(ink, prompt, prefix, shares, shorten));
  return `${lines.join("\n")}\n`;
}

function totalLine({ call }: Prompt, { total, totalFrom, sharesFrom }: TokenShares): string {
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
  return [
    `${formatCount(total)} tokens ${said}${shares}`,
    cached === undefined ? "" : `${formatCount(cached)} from the cache`,
    paid === "" ? "" : `input ${paid}`,
  ]
    .filter((text) => text !== "")
    .join(" · ");
}

function cacheLines(
  ink: Ink,
  prompt: Prompt,
  prefix: CachePrefix | undefined,
  { tokens }: TokenShares,
  shorten: (id: string) => string,
): string[] {
  if (prefix === undefined)
    return [writeLine(ink, [["faint", "Cache: the first call of its session."]])];
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
  const { segment, at, before, after } = broken;
  const where: Piece =
    segment === undefined
      ? ["error", `Cache: it ends where ${name} went on.`]
      : [
          "error",
          `Cache: broken in ${typeText(segment)}, character ${formatCount(at)} of it, against ${name}.`,
        ];
  const lost = prompt.segments.length - segments;
  return [
    writeLine(ink, [where]),
    writeLine(ink, [
      [
        "faint",
        `       ${formatCount(kept)} tokens before it are the same; ${lost} of ${prompt.segments.length} parts are read anew.`,
      ],
    ]),
    writeLine(ink, [
      ["faint", "       before  "],
      [undefined, `…${oneLine(before)}…`],
    ]),
    writeLine(ink, [
      ["faint", "       now     "],
      [undefined, `…${oneLine(after)}…`],
    ]),
  ];
}

function costText(amount: number, cost: Cost | undefined): string {
  return cost === undefined ? "" : formatCost({ ...cost, total: amount.toFixed(12) });
}

function typeText({ type }: PromptSegment): string {
  return oneLine(type);
}

function rangeText({ range }: PromptSegment): string {
  return range === undefined ? "" : `[${range.start}–${range.end}]  `;
}

function nameOf({ id, version, step }: PromptSegment, shorten: (id: string) => string): string {
  const name = id ?? step?.step.step_id;
  return [name === undefined ? "" : shorten(oneLine(name)), version ?? ""].filter(isText).join(" ");
}

function percent(share: number): string {
  const value = share * 100;
  return value > 0 && value < 1 ? "<1%" : `${Math.round(value)}%`;
}

function bar(share: number): string {
  const full = Math.min(BAR, Math.max(share > 0 ? 1 : 0, Math.round(share * BAR)));
  return "█".repeat(full) + "·".repeat(BAR - full);
}
