import type { Attributes, AttributeValue, SpanRecord } from "@thoughtflow/schema";

/** What Langfuse exports of a trace, as far as it is read here. */
export interface LangfuseExport {
  readonly observations: readonly LangfuseObservation[];
}

interface LangfuseObservation {
  readonly id: string;
  readonly traceId: string;
  readonly parentObservationId: string | null;
  readonly type: string;
  readonly name: string;
  readonly startTime: string;
  readonly endTime: string | null;
  readonly level: string;
  readonly input: unknown;
  readonly output: unknown;
  readonly model: string | null;
  readonly usageDetails?: Readonly<Record<string, number>>;
  readonly metadata: unknown;
}

const SDK = "langfuse-sdk";

/**
 * The spans that an export was made from. Langfuse keeps attributes that it does not know under `metadata.attributes`; its own
 * SDK's it has moved into fields of the observation, and here they move back.
 */
export function recordsOfExport({ observations }: LangfuseExport): readonly SpanRecord[] {
  return observations.map(recordOf);
}

function recordOf(one: LangfuseObservation): SpanRecord {
  const metadata = membersOf(parsed(one.metadata));
  const scope = String(membersOf(metadata["scope"])["name"] ?? "");
  const given = attributesOf(metadata["attributes"]);
  const isOwn = scope === SDK || Object.keys(given).length === 0;
  return {
    type: "span_end",
    traceId: one.traceId.padStart(32, "0"),
    spanId: one.id,
    ...(one.parentObservationId && { parentSpanId: one.parentObservationId }),
    name: one.name,
    kind: "internal",
    startTimeUnixNano: nanoseconds(one.startTime),
    endTimeUnixNano: nanoseconds(one.endTime ?? one.startTime),
    status: { code: one.level === "ERROR" ? "error" : "unset" },
    attributes: isOwn ? { ...given, ...ownAttributes(one) } : given,
    events: [],
    links: [],
    scope: { name: scope },
    resource: attributesOf(metadata["resourceAttributes"]),
  };
}

function ownAttributes(one: LangfuseObservation): Attributes {
  const { type, input, output, model, usageDetails = {} } = one;
  const usage = Object.keys(usageDetails).length > 0 ? JSON.stringify(usageDetails) : undefined;
  const all: readonly (readonly [string, string | undefined])[] = [
    ["type", type.toLowerCase()],
    ["input", textOf(input)],
    ["output", textOf(output)],
    ["model.name", model ?? undefined],
    ["usage_details", usage],
  ];
  return Object.fromEntries(
    all.flatMap(([name, value]) =>
      value === undefined ? [] : [[`langfuse.observation.${name}`, value]],
    ),
  );
}

function attributesOf(value: unknown): Attributes {
  return Object.fromEntries(
    Object.entries(membersOf(value)).map(([name, one]): [string, AttributeValue] => [
      name,
      typeof one === "object" ? JSON.stringify(one) : (one as AttributeValue),
    ]),
  );
}

function textOf(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  return typeof value === "string" ? value : JSON.stringify(value);
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function parsed(value: unknown): unknown {
  return typeof value === "string" ? JSON.parse(value) : value;
}

function nanoseconds(iso: string): string {
  return String(BigInt(Date.parse(iso)) * 1_000_000n);
}
