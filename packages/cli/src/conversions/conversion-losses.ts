import type { Session } from "@thoughtflow/schema";
import { counted } from "../quantity.ts";
import type { TargetName } from "./targets.ts";

/** What becomes of a key of the document: all of it shows, some of it (a preview, a sum, one kind of step), or nothing. */
export type Fate = "kept" | "part" | "lost";

/** The parts of a document that have keys of their own. */
export type DocumentPart = "session" | "agent" | "run" | "step" | "edge";

/** Keys by the part they are of, with blanks between them. */
type Keys = Readonly<Partial<Record<DocumentPart, string>>>;

/** What a conversion makes of a document; every key that it does not name is lost. */
interface Conversion {
  readonly what: string;
  readonly kept: Keys | "all";
  readonly part?: Keys;
  /** Made for reading: what it leaves out is told on its page alone. */
  readonly isPicture?: boolean;
}

const HEAD = "session_id title status started_at ended_at";
const DRAWN_EDGE = "to type origin confidence";
const GRAPH: Pick<Conversion, "kept" | "part"> = {
  kept: { agent: "agent_id name spawned_by origin" },
  part: {
    step: "step_id label started_at agent_id payload_started",
    edge: "to type confidence",
  },
};

/** The table that the page of conversions is written from, and that losses are told by. */
export const CONVERSIONS: Readonly<Record<TargetName, Conversion>> = {
  d2: {
    what: "a diagram of steps",
    isPicture: true,
    kept: {
      session: HEAD,
      run: "name channel status duration_ms",
      step: "step_id label started_at duration_ms wait_ms status trace_id span_id error",
      edge: "type origin confidence",
    },
    part: {
      session: "totals",
      run: "totals",
      step: "payload_started payload_completed usage cost",
      edge: "to",
    },
  },
  svg: {
    what: "a timeline of steps",
    isPicture: true,
    kept: {
      session: `${HEAD} origin confidence`,
      run: "name channel status duration_ms",
      step: "step_id label started_at ended_at duration_ms wait_ms status trace_id span_id error",
      edge: DRAWN_EDGE,
    },
    part: {
      session: "totals",
      agent: "agent_id name",
      run: "totals",
      step: "agent_id payload_started payload_completed usage cost",
    },
  },
  gantt: {
    what: "a chart of agents and their requests",
    isPicture: true,
    kept: {
      session: `${HEAD} origin confidence`,
      agent: "agent_id name parent_agent_id spawned_by origin",
      run: "trigger",
    },
    part: {
      session: "totals",
      step: "step_id label started_at ended_at duration_ms agent_id payload_started",
      edge: "to type confidence",
    },
  },
  mermaid: {
    what: "a diagram of steps",
    isPicture: true,
    kept: { run: "name", step: "label duration_ms", edge: "type origin confidence" },
    part: { step: "step_id status payload_started payload_completed", edge: "to" },
  },
  markdown: {
    what: "a report to read",
    isPicture: true,
    kept: {
      session: HEAD,
      agent: "agent_id name parent_agent_id",
      run: "name channel status duration_ms",
      step: "label wait_ms error",
    },
    part: {
      session: "totals warnings",
      agent: "totals",
      run: "totals",
      step: "step_id started_at duration_ms status agent_id trace_id span_id payload_started payload_completed usage cost",
    },
  },
  dot: { what: "a graph of agents and their requests", ...GRAPH },
  graphml: { what: "a graph of agents and their requests", ...GRAPH },
  perfetto: {
    what: "a trace of steps",
    kept: {
      agent: "agent_id name",
      run: "name",
      step: "step_id label depends_on started_at duration_ms status agent_id usage",
    },
    part: {
      step: "payload_started payload_completed",
      edge: "to type confidence",
    },
  },
  csv: {
    what: "a table of steps",
    kept: {
      session: "session_id",
      run: "conversation_id",
      step: "step_id label depends_on started_at duration_ms status agent_id",
    },
    part: { step: "payload_started payload_completed usage cost" },
  },
  thoughtbox: {
    what: "the thoughts, and nothing else",
    kept: { session: "session_id title tags started_at ended_at" },
    part: { step: "step_id label started_at payload_started" },
  },
  otlp: { what: "spans that give the same document back", kept: "all" },
  atif: { what: "a trajectory that gives the same document back", kept: "all" },
};

export function fateOf(target: TargetName, part: DocumentPart, key: string): Fate {
  const { kept, part: inPart } = CONVERSIONS[target];
  if (kept === "all" || has(kept, part, key)) return "kept";
  return inPart !== undefined && has(inPart, part, key) ? "part" : "lost";
}

/**
 * What of this session a conversion leaves out, in lines for people: none where it leaves nothing out, and for pictures.
 *
 * @param isVerbose Names each key. Otherwise they are counted.
 */
export function lossLines(
  target: TargetName,
  session: Session,
  isVerbose: boolean,
): readonly string[] {
  if (CONVERSIONS[target].isPicture === true) return [];
  const [lost, inPart] = [keysOfFate(target, session, "lost"), keysOfFate(target, session, "part")];
  if (isVerbose) return [...namedLine("Left out", lost), ...namedLine("In part", inPart)];
  const [left, cut] = [lost, inPart].map((parts) => parts.flatMap(([, keys]) => keys).length);
  if (!left && !cut) return [];
  return [
    `Left out: ${counted(left ?? 0, "key")} of the document, and of ${cut} a part; convert --verbose names them, --to otlp or atif keeps all.`,
  ];
}

type KeysByPart = readonly (readonly [DocumentPart, readonly string[]])[];

function namedLine(words: string, parts: KeysByPart): readonly string[] {
  const named = parts.map(([part, keys]) => `${part} ${listed(keys)}`);
  return named.length === 0 ? [] : [`${words}: ${named.join("; ")}.`];
}

function keysOfFate(target: TargetName, session: Session, fate: Fate): KeysByPart {
  return partsOf(session).flatMap(([part, holders]) => {
    const keys = new Set(holders.flatMap((holder) => Object.keys(holder)));
    const own = [...keys].filter(
      (key) => !HOLDS_PARTS.has(`${part} ${key}`) && fateOf(target, part, key) === fate,
    );
    return own.length === 0 ? [] : [[part, own] as const];
  });
}

/** A document may have any number of keys that are not ours. */
const MOST_LISTED = 30;

function listed(keys: readonly string[]): string {
  const more = keys.length - MOST_LISTED;
  const shown = keys.slice(0, MOST_LISTED).join(", ");
  return more > 0 ? `${shown} and ${more} more` : shown;
}

/** Keys that hold parts, which have rows of their own. */
export const HOLDS_PARTS: ReadonlySet<string> = new Set([
  "session conversations",
  "session parts",
  "session agents",
  "run steps",
  "step edges",
]);

/** The parts of a session, each with all that it has of it. */
export function partsOf(session: Session): readonly (readonly [DocumentPart, readonly object[]])[] {
  const { conversations, agents = [] } = session;
  const steps = conversations.flatMap((run) => run.steps);
  return [
    ["session", [session]],
    ["agent", agents],
    ["run", conversations],
    ["step", steps],
    ["edge", steps.flatMap(({ edges = [] }) => edges)],
  ];
}

function has(keys: Keys, part: DocumentPart, key: string): boolean {
  return keys[part]?.split(" ").includes(key) === true;
}
