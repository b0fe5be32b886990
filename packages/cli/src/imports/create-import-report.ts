import { defaultRedactor } from "@thoughtflow/redaction";
import type { Attributes, AttributeValue, FlowRecord } from "@thoughtflow/schema";
import type { ImportReport } from "./import-format.ts";

/** The report of one import, with what the command needs of it. */
export interface RunningReport extends ImportReport {
  /** The same records with secrets masked in names, attributes and messages of errors; content is masked where it is made. */
  masked(records: AsyncIterable<FlowRecord>): AsyncIterable<FlowRecord>;
  /** One line for each kind of what was left out. */
  sayLosses(): void;
}

export function createImportReport(say: (line: string) => void): RunningReport {
  const losses = new Map<string, number>();
  return {
    warn: say,
    lost(kind) {
      losses.set(kind, (losses.get(kind) ?? 0) + 1);
    },
    content: (value, attribute) =>
      JSON.stringify(defaultRedactor.value(value, attribute)) ?? "null",
    async *masked(records) {
      for await (const record of records) yield maskedRecord(record);
    },
    sayLosses() {
      for (const [kind, count] of losses) say(`Left out: ${count} × ${kind}.`);
    },
  };
}

function maskedRecord(record: FlowRecord): FlowRecord {
  if (record.type !== "span_end" && record.type !== "span_start") return record;
  const { status } = record;
  return {
    ...record,
    name: defaultRedactor.text(record.name, "name"),
    attributes: maskedAttributes(record.attributes),
    ...(status.message !== undefined && {
      status: { ...status, message: defaultRedactor.text(status.message, "status.message") },
    }),
    events: record.events.map((event) => ({
      ...event,
      attributes: maskedAttributes(event.attributes),
    })),
    resource: maskedAttributes(record.resource),
  };
}

function maskedAttributes(attributes: Attributes): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name, maskedValue(value, name)]),
  );
}

function maskedValue(value: AttributeValue, name: string): AttributeValue {
  if (typeof value === "string") return defaultRedactor.text(value, name);
  if (!Array.isArray(value)) return value;
  return value.map((item) =>
    typeof item === "string" ? defaultRedactor.text(item, name) : item,
  ) as AttributeValue;
}
