/** For whom an adaptation is: absent means for all. */
export interface AdaptationScope {
  readonly agent?: string;
  readonly channel?: string;
}

/** An editable piece of guidance that becomes a part of the prompt. */
export interface Adaptation {
  /** Letters, digits, dots, dashes; fixed by the catalogue. */
  readonly id: string;
  readonly title: string;
  /** What the prompt says while it is enabled. */
  readonly content: string;
  readonly scope: AdaptationScope;
  readonly tags?: readonly string[];
  readonly enabled: boolean;
}

/** What an edit may change; a catalogue's ids, scopes and tags stay. */
export interface AdaptationEdit {
  readonly title?: string;
  readonly content?: string;
  readonly enabled?: boolean;
}

/** An edit in force, as `edits.json` shows it. */
export interface ActiveEdit extends AdaptationEdit {
  /** ISO 8601. */
  readonly updated_at: string;
}

/** The largest that text may be, in UTF-16 code units. */
export const LIMITS = { title: 200, content: 4_000, text: 32_000, items: 500 } as const;

/** Characters that a reviewer does not see, or that act on a terminal: an edit with one is refused. */
const UNSEEN =
  /(?![\n\t])\p{Cc}|\p{Cs}|[\u{2028}\u{2029}\u{2800}\u{fff9}-\u{fffb}]|(?!(?<=\p{Emoji})[\u{fe0e}\u{fe0f}])\p{Default_Ignorable_Code_Point}/u;
const EDITABLE: ReadonlySet<string> = new Set(["title", "content", "enabled"]);
const ID = /^[A-Za-z0-9][\w.-]{0,127}$/;

/** Words by which chat templates frame messages; some servers read them as that wherever they stand. */
const FRAME = /<\|[^|<>\s]{1,40}\|>/;

/** Why an edit can't be made; `undefined` when it can. It may hold nothing but what an edit may change. */
export function problemOfEdit(edit: AdaptationEdit): string | undefined {
  if (typeof edit !== "object" || edit === null || Array.isArray(edit))
    return "an edit is an object";
  const other = Object.keys(edit).find((name) => !EDITABLE.has(name));
  if (other !== undefined) return `${JSON.stringify(other)} can't be changed by an edit`;
  const { title, content, enabled } = edit;
  if (title === undefined && content === undefined && enabled === undefined) {
    return "there is nothing to change: give title, content or enabled";
  }
  if (enabled !== undefined && typeof enabled !== "boolean") return "enabled must be true or false";
  return (
    problemOfText("title", title, LIMITS.title) ?? problemOfText("content", content, LIMITS.content)
  );
}

function problemOfText(name: string, text: unknown, limit: number): string | undefined {
  if (text === undefined) return undefined;
  if (typeof text !== "string") return `${name} must be text`;
  if (text.length > limit) return `${name} has ${text.length} characters, ${limit} are allowed`;
  const frame = FRAME.exec(text)?.[0];
  if (frame !== undefined)
    return `${name} holds ${frame}, which models may take for the frame of a message`;
  const unseen = UNSEEN.exec(text)?.[0];
  if (unseen === undefined) return undefined;
  const code = unseen.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0");
  return `${name} holds U+${code}, which nobody sees`;
}

/**
 * The items of a catalogue, `{ items: [...] }` or the list itself. Throws an Error that names the item and what is wrong
 * with it.
 */
export function catalogueFrom(value: unknown): readonly Adaptation[] {
  const list = Array.isArray(value) ? value : (value as { readonly items?: unknown } | null)?.items;
  if (!Array.isArray(list)) throw new Error("a catalogue is { items: [ … ] }");
  if (list.length > LIMITS.items)
    throw new Error(`it has ${list.length} items, ${LIMITS.items} are allowed`);
  const seen = new Set<string>();
  return list.map((one: unknown, at) => {
    const item = itemFrom(one, at);
    if (seen.has(item.id)) throw new Error(`item ${at} has the id ${item.id}, which another has`);
    seen.add(item.id);
    return item;
  });
}

function itemFrom(value: unknown, at: number): Adaptation {
  const fields = (typeof value === "object" && value !== null ? value : {}) as Readonly<
    Record<string, unknown>
  >;
  const { id, title = id, content = "", scope = {}, tags, enabled = false } = fields;
  if (typeof id !== "string" || !ID.test(id)) {
    throw new Error(
      `item ${at} has the id ${JSON.stringify(id)}; an id is letters, digits, dots and dashes`,
    );
  }
  const problem = problemOfEdit({ title, content, enabled } as AdaptationEdit);
  if (problem !== undefined) throw new Error(`${id}: ${problem}`);
  const { agent, channel } = (scope ?? {}) as AdaptationScope;
  for (const word of [agent, channel]) {
    if (word !== undefined && typeof word !== "string") throw new Error(`${id}: a scope is words`);
  }
  if (
    tags !== undefined &&
    !(Array.isArray(tags) && tags.every((tag) => typeof tag === "string"))
  ) {
    throw new Error(`${id}: tags are a list of words`);
  }
  return {
    id,
    title: title as string,
    content: content as string,
    scope: { ...(agent !== undefined && { agent }), ...(channel !== undefined && { channel }) },
    ...(tags !== undefined && { tags: tags as string[] }),
    enabled: enabled as boolean,
  };
}

/** Whether an adaptation is for an agent and a channel; what is not given is not asked about. */
export function isFor({ scope }: Adaptation, { agent, channel }: AdaptationScope): boolean {
  return (
    (agent === undefined || scope.agent === undefined || scope.agent === agent) &&
    (channel === undefined || scope.channel === undefined || scope.channel === channel)
  );
}

/** A catalogue with edits in force. Edits of ids that it doesn't have change nothing. */
export function withEdits(
  catalogue: readonly Adaptation[],
  edits: ReadonlyMap<string, ActiveEdit>,
): readonly Adaptation[] {
  return catalogue.map((item) => {
    const { updated_at: _, ...edit } = edits.get(item.id) ?? { updated_at: "" };
    return { ...item, ...edit };
  });
}

/** What stands in a prompt. */
export interface IncludedAdaptations {
  readonly included: readonly Adaptation[];
  /** What there is no room for: together they may have `LIMITS.text` characters. */
  readonly leftOut: readonly Adaptation[];
}

/** The adaptations in force for an agent and a channel, in their order. */
export function includedIn(
  items: readonly Adaptation[],
  scope: AdaptationScope,
): IncludedAdaptations {
  const included: Adaptation[] = [];
  const leftOut: Adaptation[] = [];
  let length = 0;
  for (const item of items) {
    if (!item.enabled || item.content === "" || !isFor(item, scope)) continue;
    length += item.content.length + 1;
    (length > LIMITS.text ? leftOut : included).push(item);
  }
  return { included, leftOut };
}
