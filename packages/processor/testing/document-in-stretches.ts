import { createLongSession, NotSeparableError } from "@thoughtflow/assemble";
import type { FlowRecord, Run } from "@thoughtflow/schema";
import { canonicalJson } from "@thoughtflow/schema/canonical";
import { createSessionOutline } from "../src/session-outline.ts";

/** The document of session `s`, in stretches as short as may be; `undefined` where the session can't be taken apart. */
export function documentInStretches(records: readonly FlowRecord[]): string | undefined {
  const outline = createSessionOutline({ long: 0, stretch: 1 });
  for (const record of records) outline.take(record);
  const stretches = outline.stretches();
  if (stretches === undefined || stretches.length < 2) return undefined;
  const long = createLongSession("s", { traceOfCall: outline.traceOfCall });
  const conversations: Run[] = [];
  try {
    for (const { traces, goesOnFrom } of stretches) {
      const asked = new Set([...traces, ...goesOnFrom, ...long.goesOnFrom]);
      const known = records.filter((one) => "traceId" in one && asked.has(one.traceId ?? ""));
      conversations.push(...long.add(known, traces).runs);
    }
  } catch (error) {
    if (error instanceof NotSeparableError) return undefined;
    throw error;
  }
  const head = long.head();
  return head && canonicalJson({ ...head, conversations });
}
