import { isObject, membersOf, type PlainObject, textOf, timeOf } from "../plain-values.ts";
import type { SourceLine } from "../source-file.ts";

/** A record of a transcript, as far as it is understood. */
export interface TranscriptLine {
  readonly number: number;
  /** `user`, `assistant`, `system`, `summary`, `progress`, `attachment` … */
  readonly type: string;
  readonly uuid: string | undefined;
  readonly parentUuid: string | undefined;
  readonly sessionId: string | undefined;
  /** Milliseconds since 1970. */
  readonly time: number | undefined;
  /** The sub-agent that says so; absent in the main conversation, and where the format has no ids for them. */
  readonly agentId: string | undefined;
  readonly isSidechain: boolean;
  /** Written by the program, not by a person. */
  readonly isMeta: boolean;
  readonly isCompactSummary: boolean;
  /** The API's message; no members where there is none. */
  readonly message: PlainObject;
  readonly record: PlainObject;
}

/** A line as a record; its problem when it is none. */
export function readTranscriptLine({
  number,
  text,
  ended,
}: SourceLine): TranscriptLine | { readonly problem: string } {
  let record: unknown;
  try {
    record = JSON.parse(text);
  } catch {
    return { problem: ended ? "it is no JSON" : "it was cut off" };
  }
  if (!isObject(record)) return { problem: "it is no record" };
  const type = textOf(record["type"]);
  return type === undefined ? { problem: "it has no type" } : lineOf(number, type, record);
}

function lineOf(number: number, type: string, record: PlainObject): TranscriptLine {
  return {
    number,
    type,
    uuid: textOf(record["uuid"]),
    parentUuid: textOf(record["parentUuid"]),
    sessionId: textOf(record["sessionId"]),
    time: timeOf(record["timestamp"]),
    agentId: textOf(record["agentId"]),
    isSidechain: record["isSidechain"] === true,
    isMeta: record["isMeta"] === true,
    isCompactSummary: record["isCompactSummary"] === true,
    message: membersOf(record["message"]),
    record,
  };
}

/** The sub-agent's record that a `progress` record of the main conversation wraps. */
export function wrappedLine(line: TranscriptLine): TranscriptLine | undefined {
  const data = membersOf(line.record["data"]);
  const inner = data["message"];
  const agentId = textOf(data["agentId"]);
  if (data["type"] !== "agent_progress" || !isObject(inner) || agentId === undefined)
    return undefined;
  const type = textOf(inner["type"]);
  if (type === undefined) return undefined;
  const { sessionId, time, number, uuid } = line;
  return {
    ...lineOf(number, type, inner),
    // Each wraps one message; their own ids lead nowhere, and their order tells what follows what.
    uuid,
    parentUuid: undefined,
    sessionId,
    time: timeOf(inner["timestamp"]) ?? time,
    agentId,
    isSidechain: true,
  };
}
