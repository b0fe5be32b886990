import { readFileSync } from "node:fs";
import { assemble } from "@thoughtflow/assemble";
import { checkSession, readSession, type SpanRecord } from "@thoughtflow/schema";
import { expect } from "vitest";
import { recordsOfExport } from "./langfuse-records.ts";

/** The text of a fixture. */
export const fixture = (name: string): string =>
  readFileSync(new URL(`./fixtures/${name}`, import.meta.url), "utf8");
/** The spans of an export of Langfuse. */
export const exported = (name: string): readonly SpanRecord[] =>
  recordsOfExport(JSON.parse(fixture(`${name}.trace.json`)));

/** The only session of these spans, which is a valid document. */
export function only(records: readonly SpanRecord[]) {
  const sessions = assemble(records);
  const [session] = sessions;
  if (session === undefined || sessions.length > 1) throw new Error("not one session");
  const read = readSession(JSON.stringify(session));
  expect(read.ok && checkSession(read.session)).toEqual([]);
  return session;
}
