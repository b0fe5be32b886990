import type { Session } from "@thoughtflow/schema";
import { cleanText } from "./clean-text.ts";
import type { Renderer, RenderOptions } from "./renderer.ts";
import { stepSummary } from "./step-summary.ts";

/** The steps as a table (RFC 4180, but for its ends of lines): one a line, for spreadsheets and data frames. */
export const csv: Renderer = {
  name: "csv",
  mediaType: "text/csv; charset=utf-8",
  fileExtension: ".csv",
  render: renderCsv,
};

const COLUMNS = [
  "session_id",
  "run_id",
  "step_id",
  "label",
  "agent_id",
  "status",
  "started_at",
  "duration_ms",
  "input_tokens",
  "output_tokens",
  "cost",
  "depends_on",
  "summary",
] as const;

function renderCsv(session: Session, { run: only }: RenderOptions = {}): string {
  const rows = session.conversations
    .filter(({ conversation_id }) => only === undefined || conversation_id === only)
    .flatMap(({ conversation_id: run, steps }) =>
      steps.map((step): readonly unknown[] => [
        session.session_id,
        run,
        step.step_id,
        step.label,
        step.agent_id,
        step.status,
        step.started_at,
        step.duration_ms,
        step.usage?.input_tokens,
        step.usage?.output_tokens,
        step.cost?.total,
        [step.depends_on ?? []].flat().join(" "),
        stepSummary(step, 200),
      ]),
    );
  return csvText([COLUMNS, ...rows]);
}

/** A line a row; what is `undefined` or `null` is empty. */
export function csvText(rows: readonly (readonly unknown[])[]): string {
  return rows.map((row) => `${row.map(csvField).join(",")}\n`).join("");
}

/** What a spreadsheet would take for a formula is a text: it gets an apostrophe before it. */
const FORMULA = /^[=+\-@\t\r]/;

function csvField(value: unknown): string {
  if (value === undefined || value === null) return "";
  const text = cleanText(String(value));
  const plain = typeof value === "string" && FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
