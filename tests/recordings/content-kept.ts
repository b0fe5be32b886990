import type { FlowRecord, Session, Step } from "@thoughtflow/schema";
import { textsOf } from "@thoughtflow/schema/content-list";
import { isText, textOf } from "@thoughtflow/schema/stored-text";
import type { Replay } from "./replay-recordings.ts";

/** Bytes of what people, models and tools said in agent loops: once each, in the files, in the journal. */
export interface ContentKept {
  readonly loops: number;
  readonly distinct: number;
  readonly inFiles: number;
  readonly inJournal: number;
  /** The greatest share of a loop's distinct bytes that its file holds. */
  readonly worst: number;
}

/** The keys of payloads that hold content; the others hold names, ids, numbers and previews. */
const CONTENT_KEYS = ["text", "content", "result", "args", "args_text", "schemas", "thought"];
/** Shorter texts are written where they are used, since a reference to them would be longer. */
const SHORTEST_REFERRED = 128;

/** Sessions in which a run has several model calls, each of which sends what the earlier ones did. */
export function contentKept({ sessions, records, journal }: Replay): ContentKept {
  const loops = sessions.filter(isLoop).map((session) => {
    const texts = textsIn(records, session.session_id);
    return { texts, distinct: sum([...texts].map(bytesOf)), inFile: sum(stepsOf(session).map(contentBytes)) };
  });
  const texts = new Set(loops.flatMap((loop) => [...loop.texts]));
  return {
    loops: loops.length,
    distinct: sum(loops.map((loop) => loop.distinct)),
    inFiles: sum(loops.map((loop) => loop.inFile)),
    inJournal: sum([...texts].map((text) => bytesOf(text) * timesIn(journal, text))),
    worst: Math.max(...loops.map((loop) => loop.inFile / loop.distinct)),
  };
}

function isLoop({ conversations }: Session): boolean {
  return conversations.some(({ steps }) => steps.filter(({ label }) => label === "assistant_call").length > 1);
}

function stepsOf({ conversations }: Session): Step[] {
  return conversations.flatMap((run) => run.steps);
}

/** Messages, tools and instructions as JSON, each once. */
function textsIn(records: readonly FlowRecord[], sessionId: string): Set<string> {
  const texts = new Set<string>();
  for (const record of records) {
    if (!("content" in record) || record.attributes["session.id"] !== sessionId) continue;
    for (const value of Object.values(record.content ?? {}))
      for (const text of isText(value) ? [textOf(value)] : textsOf(value)) texts.add(text);
  }
  return texts;
}

function contentBytes({ payload_started: started = {}, payload_completed: completed = {} }: Step): number {
  const values = [started, completed].flatMap((payload) => CONTENT_KEYS.map((key) => payload[key]));
  return sum(values.filter((value) => value !== undefined).map((value) => bytesOf(JSON.stringify(value))));
}

function timesIn(journal: Buffer, text: string): number {
  if (text.length <= SHORTEST_REFERRED) return 1;
  let times = 0;
  for (let at = journal.indexOf(text); at !== -1; at = journal.indexOf(text, at + 1)) times++;
  return times;
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
