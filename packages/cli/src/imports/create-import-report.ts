import { hash } from "node:crypto";
import { createRedactor, defaultRedactor } from "@thoughtflow/redaction";
import { plainText } from "@thoughtflow/render";
import type { Attributes, AttributeValue, FlowRecord, Scope } from "@thoughtflow/schema";
import {
  ATTR_GEN_AI_AGENT_ID,
  ATTR_GEN_AI_CONVERSATION_ID,
  ATTR_SESSION_ID,
} from "@thoughtflow/semconv";
import { counted } from "../quantity.ts";
import type { ImportFormat, ImportReport } from "./import-format.ts";
import { type LossCount, MOST_NAMES } from "./loss-report.ts";

/** The report of one import, with what the command needs of it. */
export interface RunningReport extends ImportReport {
  /** The same records with secrets masked in names, attributes and messages of errors; content is masked where it is made. */
  masked(records: AsyncIterable<FlowRecord>): AsyncIterable<FlowRecord>;
  /** What was left out: first what the work has lost, a line for each reason, then the fields that tell nothing more of it. */
  sayLosses(): void;
  /** Names the files that can't be read, and returns how many they are. */
  sayUnread(): number;
}

/** Bounds what it copies, and masks nothing. */
const copier = createRedactor({ secrets: false, media: "keep" });

export interface ImportReportOptions {
  /** `false` keeps what looks like a key, and media. Default true. */
  readonly isMasked?: boolean;
  /** Names the fields that tell nothing more of the work, too. Default false: how many they are. */
  readonly isVerbose?: boolean;
  /** What a file may be instead. Default: nothing is known. */
  readonly formats?: Readonly<Record<string, ImportFormat>>;
}

/** So many files of other formats are named, and so many that can't be read. */
const MOST_NAMED = 10;

/** @param tell Is given what a terminal may show: what a file calls its records is as safe as what is kept of them. */
export function createImportReport(
  tell: (line: string) => void,
  { isMasked = true, isVerbose = false, formats = {} }: ImportReportOptions = {},
): RunningReport {
  const redactor = isMasked ? defaultRedactor : copier;
  // What the terminal swallows would part a secret, and so hide it from the mask.
  const say = (line: string): void => {
    const plain = plainText(line).replace(/\s+/g, " ");
    tell(isMasked ? defaultRedactor.text(plain, "") : plain);
  };
  const losses: Losses = new Map();
  const details: Losses = new Map();
  const oddities = new Map<string, number>();
  /** By what was found and what was done. */
  const repairs = new Map<string, number>();
  const others: string[] = [];
  const unread: string[] = [];
  const unasked: { readonly sessionId: string; readonly agentId: string }[] = [];

  function sayCounts(of: Losses): void {
    for (const [why, kinds] of of) {
      const counts = [...kinds].map(([kind, loss]) => `${loss.count} × ${kind}${namesOf(loss)}`);
      if (why === "") for (const count of counts) say(`Left out: ${count}.`);
      else say(`Left out: ${counts.join(", ")}: ${why}.`);
    }
  }

  function sayNamed(files: readonly string[], kind: string): void {
    for (const file of files.slice(0, MOST_NAMED)) say(`Left out: ${file}.`);
    if (files.length > MOST_NAMED) say(`Left out: ${files.length - MOST_NAMED} × ${kind}.`);
  }

  return {
    warn: say,
    unasked: (sessionId, agentId) => void unasked.push({ sessionId, agentId }),
    lost: (kind, why) => void countIn(losses, kind, why).count++,
    lossCount: (kind, why) => countIn(losses, kind, why),
    detailCount: (kind, why) => countIn(details, kind, why),
    isOther(file, values, what) {
      const other = Object.values(formats).find((one) => values.some(one.recognise));
      if (other === undefined || other.what === what) return false;
      others.push(`${file}: it is not ${what} but ${other.what}`);
      return true;
    },
    leftOut(file, kind) {
      const loss = countIn(losses, kind);
      loss.count++;
      loss.names ??= new Set();
      if (loss.names.size <= MOST_NAMES) loss.names.add(file);
    },
    unread: (file, problem) => void unread.push(`${file}: it can't be read: ${problem}`),
    odd: (problem) => void oddities.set(problem, (oddities.get(problem) ?? 0) + 1),
    repaired(kind, done, count) {
      if (count === 0) return;
      const repair = `${kind}: ${done}`;
      repairs.set(repair, (repairs.get(repair) ?? 0) + count);
    },
    content: (value, attribute) => JSON.stringify(redactor.value(value, attribute)) ?? "null",
    async *masked(records) {
      for await (const record of records) yield isMasked ? maskedRecord(record) : record;
    },
    sayLosses() {
      const tiesFirst = [...losses].toSorted(
        ([, a], [, b]) => Number(hasTie(b)) - Number(hasTie(a)),
      );
      sayCounts(new Map(tiesFirst));
      if (unasked.length > 0) say(unaskedLine(unasked));
      sayNamed(others, "file of another format");
      for (const [problem, count] of oddities)
        say(`Kept as text: ${count} × line that can't be read (${problem}).`);
      for (const [repair, count] of repairs) say(`Repaired: ${count} × ${repair}.`);
      if (isVerbose) sayCounts(details);
      else if (details.size > 0) say(detailsLine(details));
    },
    sayUnread() {
      sayNamed(unread, "file that can't be read");
      return unread.length;
    },
  };
}

/** By reason, then by kind. */
type Losses = Map<string, Map<string, LossCount>>;

function countIn(losses: Losses, kind: string, why = ""): LossCount {
  const kinds = losses.get(why) ?? new Map<string, LossCount>();
  const count = kinds.get(kind) ?? { count: 0 };
  losses.set(why, kinds.set(kind, count));
  return count;
}

function namesOf({ names }: LossCount): string {
  if (names === undefined) return "";
  const more = names.size > MOST_NAMES ? " …" : "";
  return ` (${[...names].slice(0, MOST_NAMES).join(", ")}${more})`;
}

function detailsLine(details: Losses): string {
  const counts = [...details.values()].flatMap((kinds) => [...kinds.values()]);
  const times = counts.reduce((sum, { count }) => sum + count, 0);
  return `Left out: ${counted(times, "value")} in ${counted(counts.length, "field")} of bookkeeping; import --verbose names each, and why.`;
}

/** Whether something hangs together less than it might: what one can mend is told first. */
function hasTie(kinds: ReadonlyMap<string, LossCount>): boolean {
  return [...kinds.keys()].some((kind) => kind.startsWith("tie of "));
}

/** So many agents that nobody asked for are named. */
const MOST_UNASKED = 3;

function unaskedLine(
  unasked: readonly { readonly sessionId: string; readonly agentId: string }[],
): string {
  const named = unasked
    .slice(0, MOST_UNASKED)
    .map(({ sessionId, agentId }) => `${agentId} (${sessionId})`);
  const more = unasked.length > named.length ? " …" : "";
  return `No tool call asked for ${counted(unasked.length, "agent")}: ${named.join(", ")}${more}`;
}

/** What others are told apart by: those that are masked stay apart. */
const IDS: ReadonlySet<string> = new Set([
  ATTR_SESSION_ID,
  ATTR_GEN_AI_CONVERSATION_ID,
  ATTR_GEN_AI_AGENT_ID,
]);

/** The id of a session as a masked import keeps it. */
export function maskedSessionId(id: string): string {
  return String(maskedValue(id, ATTR_SESSION_ID, knownAttribute(ATTR_SESSION_ID)));
}

/** Enough to tell ids apart, and too little to find out what they are. */
function digestOf(id: string): string {
  return hash("sha256", id).slice(0, 8);
}

/** Longer texts hardly come again. */
const SHORT = 100;
/** Nor do those of an attribute that had so many: ids. They are not looked for. */
const MOST_TEXTS = 200;
const MOST_ATTRIBUTES = 1_000;

/** What an attribute becomes: its name, and the texts that spans say again and again: names and models. Its name may make them secrets. */
interface KnownAttribute {
  readonly safeName: string;
  /** `undefined` where there were too many. */
  texts: Map<string, string> | undefined;
}

const knownAttributes = new Map<string, KnownAttribute>();

function knownAttribute(name: string): KnownAttribute {
  const known = knownAttributes.get(name);
  if (known !== undefined) return known;
  if (knownAttributes.size >= MOST_ATTRIBUTES) knownAttributes.clear();
  const attribute = { safeName: defaultRedactor.key(name), texts: new Map() };
  knownAttributes.set(name, attribute);
  return attribute;
}

function maskedText(text: string, name: string, attribute = knownAttribute(name)): string {
  const { texts } = attribute;
  if (text.length > SHORT || texts === undefined) return defaultRedactor.text(text, name);
  const known = texts.get(text);
  if (known !== undefined) return known;
  const masked = defaultRedactor.text(text, name);
  if (texts.size < MOST_TEXTS) texts.set(text, masked);
  else attribute.texts = undefined;
  return masked;
}

function maskedRecord(record: FlowRecord): FlowRecord {
  if (record.type !== "span_end" && record.type !== "span_start") return record;
  const { status, events, links } = record;
  const name = maskedText(record.name, "name");
  const attributes = maskedAttributes(record.attributes);
  const resource = maskedResource(record.resource);
  const scope = maskedScope(record.scope);
  const isSame =
    name === record.name &&
    attributes === record.attributes &&
    resource === record.resource &&
    scope === record.scope;
  if (isSame && status.message === undefined && events.length + links.length === 0) return record;
  return {
    ...record,
    name,
    attributes,
    ...(status.message !== undefined && {
      status: { ...status, message: maskedText(status.message, "status.message") },
    }),
    events: events.map((event) => ({
      ...event,
      name: maskedText(event.name, "event.name"),
      attributes: maskedAttributes(event.attributes),
    })),
    links: links.map((link) => ({ ...link, attributes: maskedAttributes(link.attributes) })),
    scope,
    resource,
  };
}

/** The same object where there is nothing to mask. */
function maskedScope(scope: Scope): Scope {
  const name = maskedText(scope.name, "scope.name");
  const version = scope.version && maskedText(scope.version, "scope.version");
  if (name === scope.name && version === scope.version) return scope;
  return { name, ...(version !== undefined && { version }) };
}

/** Spans of one session share the object. */
const resources = new WeakMap<Attributes, Attributes>();

function maskedResource(resource: Attributes): Attributes {
  const masked = resources.get(resource) ?? maskedAttributes(resource);
  resources.set(resource, masked);
  return masked;
}

/** The same object where there is nothing to mask, as mostly. */
function maskedAttributes(attributes: Attributes): Attributes {
  if (areSafe(attributes)) return attributes;
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => {
      const attribute = knownAttribute(name);
      return [attribute.safeName, maskedValue(value, name, attribute)];
    }),
  );
}

function areSafe(attributes: Attributes): boolean {
  for (const name in attributes) {
    const value = attributes[name];
    const attribute = knownAttribute(name);
    if (attribute.safeName !== name) return false;
    if (value !== undefined && maskedValue(value, name, attribute) !== value) return false;
  }
  return true;
}

function maskedValue(
  value: AttributeValue,
  name: string,
  attribute: KnownAttribute,
): AttributeValue {
  if (typeof value === "string") {
    const masked = maskedText(value, name, attribute);
    return masked !== value && IDS.has(name) ? `${masked}~${digestOf(value)}` : masked;
  }
  if (!Array.isArray(value)) return value;
  const maskedItem = (item: unknown) =>
    typeof item === "string" ? maskedText(item, name, attribute) : item;
  return value.every((item) => maskedItem(item) === item)
    ? value
    : (value.map(maskedItem) as AttributeValue);
}
