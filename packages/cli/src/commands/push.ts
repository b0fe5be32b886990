import { erasedBodies, recordsFromSession, revisionOfSession } from "@thoughtflow/assemble";
import { isSpan } from "@thoughtflow/dialects/spans";
import { createJournalReader } from "@thoughtflow/journal";
import { spansOfRecords } from "@thoughtflow/otlp";
import { plainText } from "@thoughtflow/render";
import type { FlowRecord, Session, SpanRecord, TombstoneRecord } from "@thoughtflow/schema";
import type { Command, CommandArguments } from "../command.ts";
import { badArguments } from "../command-error.ts";
import { DIR_OPTION, flowDirectory } from "../flow-directory.ts";
import { headersFrom } from "../header-option.ts";
import { loadWholeSession, SESSION_OPERAND } from "../load-session.ts";
import {
  exitCodeForProblems,
  otlpDestination,
  type SpansToSend,
  sendSpans,
} from "../send-spans.ts";

const PATIENCE_SECONDS = 30;
/** A line about how far it has come, after so many spans each. */
const PROGRESS_SPANS = 1_000;

export const push: Command = {
  operands: SESSION_OPERAND,
  count: { min: 0, max: 1 },
  options: {
    otlp: {
      value: "URL",
      otherNames: ["endpoint", "url", "to"],
      summary:
        "a receiver, with or without /v1/traces; else OTEL_EXPORTER_OTLP_ENDPOINT, else http://localhost:4318",
    },
    header: {
      value: "H",
      summary: 'one more header, "Authorization: Bearer …"; several in OTEL_EXPORTER_OTLP_HEADERS',
    },
    protocol: {
      value: "NAME",
      choices: ["http/protobuf", "http/json"],
      summary: "default http/protobuf",
    },
    wait: {
      value: "SECONDS",
      summary: `how long to try while the receiver doesn't take it, ${PATIENCE_SECONDS} by default`,
    },
    dir: DIR_OPTION,
  },
  async run(args, io) {
    const [word = "latest"] = args.positionals;
    const patienceMillis = secondsOf(args) * 1_000;
    const destination = await otlpDestination(destinationOptions(args), io);
    const dir = flowDirectory(args, io);
    const session = await loadWholeSession(word, dir, io);
    const records = ownRecords(session, dir) ?? recordsFromSession(session);
    const spans: SpansToSend = {
      length: records.length,
      slice: (start, end) => spansOfRecords(records.slice(start, end)),
    };
    let told = 0;
    const { confirmed, problems } = await sendSpans(spans, destination, {
      patienceMillis,
      onWaiting(reason) {
        io.say(`Not taken yet: ${reason}. Trying for ${patienceMillis / 1_000} s …`);
      },
      onConfirmed(count) {
        if (count - told < PROGRESS_SPANS || count === spans.length) return;
        told = count;
        io.say(`${count} of ${spans.length} spans confirmed`);
      },
    });
    const { origin, pathname } = new URL(destination.url);
    const id = plainText(session.session_id);
    io.out(`${confirmed} of ${spans.length} spans of ${id} confirmed by ${origin}${pathname}\n`);
    for (const problem of problems) io.say(problem);
    return exitCodeForProblems(problems);
  },
};

function destinationOptions(args: CommandArguments): Readonly<Record<string, unknown>> {
  const endpoint = args.text("otlp");
  const header = args.text("header");
  const protocol = args.text("protocol");
  return {
    ...(endpoint !== undefined && { endpoint }),
    ...(header !== undefined && { headers: headersFrom(header) }),
    ...(protocol !== undefined && { protocol }),
  };
}

function secondsOf(args: CommandArguments): number {
  const text = args.text("wait");
  const seconds = text === undefined ? PATIENCE_SECONDS : Number(text);
  if (Number.isFinite(seconds) && seconds >= 0) return seconds;
  throw badArguments(`--wait takes a number of seconds, not "${text}".`);
}

/**
 * The spans that the document was made from, where the journals of the directory still have all of them, ended, whether
 * their starts are there, too, or not: what crashes and erasures decided travels only in the document. Bodies that others took the
 * place of stay behind: to a receiver that has them already, those others are news.
 */
function ownRecords(
  { session_id: id, revision }: Session,
  dir: string,
): readonly SpanRecord[] | undefined {
  const reader = createJournalReader(dir, { textsStay: true });
  reader.refreshSync();
  const records = reader.recordsOfSession(id);
  const tombstones = records.filter(isTombstoneOfBody);
  const isErased = erasedBodies(tombstones) ?? (() => false);
  const all = records.filter(isSpan);
  const spans = all.filter((span) => !isErased(span));
  const ended = spans.filter(({ type }) => type === "span_end");
  const ids = new Set(ended.map(idOf));
  if (
    all.length + tombstones.length < records.length ||
    !spans.every((span) => ids.has(idOf(span)))
  )
    return undefined;
  return ended.length > 0 && revisionOfSession(records, id) === revision ? ended : undefined;
}

function isTombstoneOfBody(record: FlowRecord): record is TombstoneRecord {
  return record.type === "tombstone" && record.body !== undefined;
}

function idOf({ traceId, spanId }: SpanRecord): string {
  return `${traceId} ${spanId}`;
}
