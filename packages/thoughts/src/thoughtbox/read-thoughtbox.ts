/** A Thoughtbox session as it was exported: every field as it stands, known or not. */
export interface ThoughtboxSession {
  /** What stands around the thoughts: `session`, and of an archive `version`, `auditManifest` … */
  readonly envelope: Readonly<Record<string, unknown>>;
  /** Which of the formats it is: a list under `thoughts`, nodes of an archive, or a bare list. */
  readonly form: "thoughts" | "nodes" | "list";
  /** In the order of the file. */
  readonly thoughts: readonly ThoughtboxEntry[];
}

/** One thought, and the node of an archive that holds it. */
export interface ThoughtboxEntry {
  readonly thought: Readonly<Record<string, unknown>>;
  readonly node?: Readonly<Record<string, unknown>>;
}

/** What reading gives: the session with what was left out of it, or why there is none. */
export type ReadThoughtbox =
  | {
      readonly ok: true;
      readonly session: ThoughtboxSession;
      readonly warnings: readonly string[];
    }
  | { readonly ok: false; readonly problem: string };

/** Reads an exported session: `{ session, thoughts }`, the archive `{ session, nodes }`, or a list of thoughts. */
export function readThoughtbox(value: unknown): ReadThoughtbox {
  if (Array.isArray(value)) return withThoughts({}, "list", value);
  if (!isObject(value)) return { ok: false, problem: "it is no object and no list" };
  const { thoughts, nodes, ...envelope } = value;
  if (Array.isArray(thoughts)) {
    return withThoughts(
      nodes === undefined ? envelope : { ...envelope, nodes },
      "thoughts",
      thoughts,
    );
  }
  if (Array.isArray(nodes)) return withThoughts(envelope, "nodes", nodes);
  const keys = Object.keys(value).slice(0, 5).join(", ");
  return { ok: false, problem: `it has neither thoughts nor nodes${keys && `; it holds ${keys}`}` };
}

function withThoughts(
  envelope: ThoughtboxSession["envelope"],
  form: ThoughtboxSession["form"],
  items: readonly unknown[],
): ReadThoughtbox {
  const warnings: string[] = [];
  const thoughts: ThoughtboxEntry[] = [];
  for (const [index, item] of items.entries()) {
    const entry = form === "nodes" ? entryOfNode(item) : isObject(item) && { thought: item };
    if (entry) thoughts.push(entry);
    else
      warnings.push(`${form === "nodes" ? "nodes" : "thoughts"}[${index}] is no thought: left out`);
  }
  return { ok: true, session: { envelope, form, thoughts }, warnings };
}

function entryOfNode(item: unknown): ThoughtboxEntry | undefined {
  if (!isObject(item)) return undefined;
  const { data, ...node } = item;
  return isObject(data) ? { thought: data, node } : undefined;
}

/** A plain object of a JSON file. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
