import { plainText } from "@thoughtflow/render";
import { isKnownMoment } from "@thoughtflow/schema/steps";
import type { Report, Value } from "@thoughtflow/store";
import type { CommandOption } from "../command.ts";
import { jsonText } from "../json-text.ts";
import { textTable } from "../text-table.ts";

/** `--format` of commands that answer with rows. */
export const REPORT_FORMAT: CommandOption = {
  value: "FORMAT",
  choices: ["pretty", "json", "csv"],
  summary: "for people (default), a list of JSON objects, or RFC 4180 with a heading",
};

/** A report as it was asked for: whatever the format, the same rows and columns. */
export function reportText(report: Report, format = "pretty"): string {
  if (format === "json") return jsonText(report.rows, "json");
  return format === "csv" ? csvText(report) : prettyText(report);
}

/** A table; columns of which no row has anything are left out. */
function prettyText({ columns, rows }: Report): string {
  const shown = columns.filter(
    ({ name }) => rows.length === 0 || rows.some((row) => row[name] !== null),
  );
  const headings = shown.map(({ name }) =>
    name
      .replace(/_(ms|usd)$/, "")
      .replaceAll("_", " ")
      .toUpperCase(),
  );
  const cells = rows.map((row) =>
    shown.map(({ name, type }) => prettyValue(row[name] ?? null, type)),
  );
  return textTable(headings, cells);
}

const LONGEST_CELL = 80;

function prettyValue(value: Value, type: string): string {
  if (value === null) return "–";
  if (type === "money") return `$${amountText(String(value))}`;
  if (type === "duration") return durationText(Number(value));
  if (type === "rate") return `${Number((100 * Number(value)).toFixed(2))} %`;
  if (type === "integer" && typeof value === "number") return value.toLocaleString("en-US");
  if (type === "moment") {
    const moment = String(value);
    return isKnownMoment(moment) ? moment.replace("T", " ").replace(/\.\d+Z$/, "") : "–";
  }
  // Of a stack the words: where in the code stands in the other formats.
  const said = String(value).replaceAll(/\n +at .*/g, "");
  const text = plainText(said).replace(/\s+/g, " ").trim();
  return text.length <= LONGEST_CELL ? text : `${text.slice(0, LONGEST_CELL - 1)}…`;
}

/** Prices have at most twelve digits behind the point; more is what programs got that add binary fractions. */
function amountText(amount: string): string {
  return /\.\d{13}/.test(amount)
    ? Number(amount)
        .toFixed(12)
        .replace(/\.?0+$/, "")
    : amount;
}

function durationText(milliseconds: number): string {
  if (milliseconds < 1000) return `${milliseconds} ms`;
  const seconds = milliseconds / 1000;
  return seconds < 100
    ? `${seconds.toFixed(1)} s`
    : `${Math.round(seconds).toLocaleString("en-US")} s`;
}

function csvText({ columns, rows }: Report): string {
  const lines = [
    columns.map(({ name }) => csvCell(name)),
    ...rows.map((row) => columns.map(({ name }) => csvCell(row[name] ?? null))),
  ];
  return lines.map((line) => `${line.join(",")}\r\n`).join("");
}

/** Nothing is empty, an empty text is quoted. */
function csvCell(value: Value): string {
  if (value === null) return "";
  const text = String(value);
  return text === "" || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
