import { createHash } from "node:crypto";
import type { Run, Session, Step } from "@thoughtflow/schema";

/** A document whose large texts stand beside it. */
export interface SplitSession {
  readonly session: Session;
  /** The texts by the SHA-256 of their UTF-8 bytes, 64 hex digits. */
  readonly blobs: ReadonlyMap<string, string>;
}

/** UTF-8 bytes; a field of more becomes `{ "$blob": { sha256, bytes, media_type } }`. */
const LARGEST_INLINE = 1024 * 1024;

/** Takes texts above 1 MiB out of the payloads and states of a session. A session without any is returned as it is. */
export function splitLargeTexts(session: Session): SplitSession {
  const blobs = new Map<string, string>();
  const conversations = changed(session.conversations, (run) => splitRun(run, blobs));
  return {
    session: conversations === session.conversations ? session : { ...session, conversations },
    blobs,
  };
}

function splitRun(run: Run, blobs: Map<string, string>): Run {
  const steps = changed(run.steps, (step) => splitStep(step, blobs));
  const { initial_state: initial, final_state: final } = run;
  const states = {
    initial_state: inlineOrBlob(initial, blobs),
    final_state: inlineOrBlob(final, blobs),
  };
  if (steps === run.steps && states.initial_state === initial && states.final_state === final)
    return run;
  return {
    ...run,
    ...(initial !== undefined && { initial_state: states.initial_state }),
    ...(final !== undefined && { final_state: states.final_state }),
    steps,
  };
}

function splitStep(step: Step, blobs: Map<string, string>): Step {
  const { payload_started: started, payload_completed: completed } = step;
  const split = {
    started: inlineOrBlob(started, blobs),
    completed: inlineOrBlob(completed, blobs),
  };
  if (split.started === started && split.completed === completed) return step;
  return {
    ...step,
    ...(started !== undefined && { payload_started: split.started }),
    ...(completed !== undefined && { payload_completed: split.completed }),
  };
}

/** The value itself when nothing in it is large. Depth is bounded: content is cut at 64 levels when it is recorded. */
function inlineOrBlob<T>(value: T, blobs: Map<string, string>): T;
function inlineOrBlob(value: unknown, blobs: Map<string, string>): unknown {
  if (typeof value === "string") {
    // UTF-8 has at most three bytes for each code unit: short texts need no counting.
    if (value.length * 3 <= LARGEST_INLINE) return value;
    const bytes = Buffer.byteLength(value);
    if (bytes <= LARGEST_INLINE) return value;
    const sha256 = createHash("sha256").update(value).digest("hex");
    blobs.set(sha256, value);
    return { $blob: { sha256, bytes, media_type: "text/plain; charset=utf-8" } };
  }
  if (Array.isArray(value)) return changed(value, (item) => inlineOrBlob(item, blobs));
  if (typeof value !== "object" || value === null) return value;
  const entries: [string, unknown][] = Object.entries(value);
  const split = changed(entries, (entry): [string, unknown] => {
    const inner = inlineOrBlob(entry[1], blobs);
    return inner === entry[1] ? entry : [entry[0], inner];
  });
  return split === entries ? value : Object.fromEntries(split);
}

/** The list itself when no item changes. */
function changed<T>(list: T[], change: (item: T) => T): T[] {
  const next = list.map(change);
  return next.some((item, i) => item !== list[i]) ? next : list;
}
