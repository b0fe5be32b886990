import type { Attributes, AttributeValue, SpanRecord } from "@thoughtflow/schema";
import { ATTR_GEN_AI_RESPONSE_TIME_TO_FIRST_CHUNK } from "@thoughtflow/semconv";
import { spanIdOf, traceIdOf } from "../imported-span.ts";
import { isMoment, textOf } from "../plain-values.ts";

/** A run that an observability platform kept, in the words of what it sends as a span. */
export interface ExportedRun {
  /** As the platform has them: in hex already, or UUIDs. */
  readonly id: string;
  /** `undefined` where the run doesn't say it. */
  readonly traceId: string | undefined;
  readonly parentId: string | undefined;
  readonly name: string;
  /** ISO times, which are UTC where they don't say it, or milliseconds since 1970. */
  readonly start: unknown;
  readonly end: unknown;
  /** When a model began to answer. */
  readonly firstToken: unknown;
  readonly failure?: { readonly message?: string | undefined } | undefined;
  /** Objects become JSON. */
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly scope: string;
  readonly resource: Readonly<Record<string, unknown>>;
}

/** A run of which it is known in which trace it stands. */
export interface PlacedRun extends ExportedRun {
  readonly traceId: string;
}

/** The span that a run was, or would have been; `undefined` of one without a beginning. */
export function spanOfRun(run: PlacedRun): SpanRecord | undefined {
  const { id, traceId, parentId, failure } = run;
  const start = nanosecondsOf(run.start);
  if (start === undefined) return undefined;
  const end = nanosecondsOf(run.end);
  const idOf = (one: string) => (/^[0-9a-f]{16}$/.test(one) ? one : spanIdOf(traceId, one));
  const trace = traceId.replaceAll("-", "");
  return {
    type: end === undefined ? "span_start" : "span_end",
    traceId: /^[0-9a-f]{32}$/.test(trace) ? trace : traceIdOf(traceId),
    spanId: idOf(id),
    ...(parentId !== undefined && { parentSpanId: idOf(parentId) }),
    name: run.name,
    kind: "internal",
    startTimeUnixNano: start,
    ...(end !== undefined && { endTimeUnixNano: end }),
    status:
      failure === undefined
        ? { code: "unset" }
        : { code: "error", ...(failure.message !== undefined && { message: failure.message }) },
    attributes: attributesOf({
      ...run.attributes,
      [ATTR_GEN_AI_RESPONSE_TIME_TO_FIRST_CHUNK]: secondsBetween(start, run.firstToken),
    }),
    events: [],
    links: [],
    scope: { name: run.scope },
    resource: attributesOf(run.resource),
  };
}

/** `2026-03-01T10:00:00.123456`, with a zone or without one, a space in place of the `T`; or milliseconds. */
function nanosecondsOf(time: unknown): string | undefined {
  if (isMoment(time)) return `${Math.round(time * 1000)}000`;
  const parts =
    /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d{1,9})\d*)?(Z|[+-]\d\d:?\d\d)?$/.exec(
      textOf(time) ?? "",
    );
  if (parts === null) return undefined;
  const [, day, clock, fraction = "", zone = "Z"] = parts;
  const seconds = Date.parse(`${day}T${clock}${zone}`) / 1000;
  // Go's year 1 is no time.
  return seconds >= 0 ? `${seconds}${fraction.padEnd(9, "0")}` : undefined;
}

function secondsBetween(start: string, later: unknown): number | undefined {
  const at = nanosecondsOf(later);
  const nanoseconds = at === undefined ? -1n : BigInt(at) - BigInt(start);
  return nanoseconds < 0n ? undefined : Number(nanoseconds) / 1e9;
}

function attributesOf(values: Readonly<Record<string, unknown>>): Attributes {
  return Object.fromEntries(
    Object.entries(values).flatMap(
      ([name, value]): readonly (readonly [string, AttributeValue])[] => {
        if (value === undefined || value === null || value === "") return [];
        return [
          [name, typeof value === "object" ? JSON.stringify(value) : (value as AttributeValue)],
        ];
      },
    ),
  );
}
