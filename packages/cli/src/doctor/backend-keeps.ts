import type { CommandIo } from "../command-io.ts";
import { otlpDestination } from "../send-spans.ts";
import { type QueryPlace, readBack, sendTrace } from "../vulture/backend.ts";
import { TEXT_BYTES, writtenTrace } from "../vulture/written-trace.ts";
import type { Finding } from "./finding.ts";

/** Backends show what they were given after a few seconds. */
const WAIT_MS = 10_000;

/**
 * Whether the backend keeps what it is given, links above all: like `vulture`, sends a made-up trace where the
 * environment sends spans, asks for it and compares.
 */
export async function examineBackend(
  place: QueryPlace,
  io: CommandIo,
  waitMillis: number = WAIT_MS,
): Promise<Finding> {
  const trace = writtenTrace(TEXT_BYTES);
  const unsent = await sendTrace(trace, await otlpDestination({}, io));
  const [trouble, ...others] =
    unsent.length > 0 ? unsent : await readBack(trace, place, waitMillis);
  const { backend } = place;
  if (trouble === undefined) {
    const message = `${backend} gives a trace back as it was written, with its links`;
    return { subject: "backend", status: "ok", message };
  }
  const more = others.length === 0 ? "" : `, and ${others.length} more that \`vulture\` tells`;
  const message = `${backend}: ${trouble.kind}: ${trouble.message}${more}`;
  return { subject: "backend", status: "failure", message };
}
