import { type EarlierImports, type EarlierSession, NOTHING_EARLIER } from "./earlier-imports.ts";
import type { ImportReport } from "./import-format.ts";

/** What a session's file tells of its place. */
export interface PlacedSession {
  readonly id: string;
  /** The session that asked for it; `undefined` where none did. */
  readonly parentId: string | undefined;
  /** When it began, milliseconds since 1970; 0 where that is not told. */
  readonly ms: number;
}

/**
 * The sessions that no other one here is above, each before those below it; of sessions that are each other's sub-agents the
 * first, which is told. From these on every one is found by its parent.
 */
export function outermostSessions<Session>(
  sessions: readonly Session[],
  placeOf: (session: Session) => PlacedSession,
  report: ImportReport,
  earlier: EarlierImports = NOTHING_EARLIER,
): readonly Session[] {
  const parents = new Map(
    sessions.map((session) => [placeOf(session).id, placeOf(session).parentId] as const),
  );
  const isOutermost = (session: Session) => {
    const { parentId } = placeOf(session);
    return parentId === undefined || !parents.has(parentId);
  };
  const outermost = sessions.filter(isOutermost);
  // Of several files of one session one without a parent is enough.
  for (const session of outermost) parents.set(placeOf(session).id, undefined);
  const circles = circlesIn(parents);
  const begun = new Set<number>();
  for (const session of sessions) {
    const { id } = placeOf(session);
    const circle = circles.get(id);
    if (circle === undefined || begun.has(circle)) continue;
    begun.add(circle);
    outermost.push(session);
    report.warn(`${id}: who asked for it leads in a circle back to it; it is no sub-agent here`);
  }
  const homeOf = createHomes(new Set(parents.keys()), earlier);
  const children = childrenIn(sessions, placeOf);
  const tops = new Set<Session>();
  const leftOut = new Set<string>();
  for (const session of outermost) {
    const place = placeOf(session);
    const { id, parentId = id } = place;
    const isAlone = !parents.has(parentId) || leftOut.has(parentId);
    const home = isAlone ? homeOf(place) : undefined;
    if (home === undefined) {
      tops.add(session);
      continue;
    }
    leftOut.add(id);
    report.warn(
      `${id} is left out: it is a sub-agent of ${home}, which was imported before, and with it. If it has grown, import both at once.`,
    );
    // Some of those below it may not have been there then.
    outermost.push(...(children.get(id) ?? []));
  }
  for (const session of sessions) {
    const { id } = placeOf(session);
    if (!tops.has(session) && !leftOut.has(id)) earlier.isPart(id);
  }
  return [...tops];
}

/** Finds the session that an earlier import told a sub-agent in: the one that asked for it, or another one above that. */
function createHomes(
  now: ReadonlySet<string>,
  earlier: EarlierImports,
): (place: PlacedSession) => string | undefined {
  let others: readonly EarlierSession[] | undefined;
  return ({ id, parentId, ms }) => {
    if (parentId === undefined) return undefined;
    if (earlier.hasAgent(parentId, id)) return parentId;
    others ??= earlier.sessionsBut(now);
    const wentOn = others.filter(({ began, ended }) => began <= ms && ms <= ended);
    return wentOn.find((other) => earlier.hasAgent(other.id, id))?.id;
  };
}

/** By the ids of those that asked for them. */
function childrenIn<Session>(
  sessions: readonly Session[],
  placeOf: (session: Session) => PlacedSession,
): Map<string, Session[]> {
  const children = new Map<string, Session[]>();
  for (const session of sessions) {
    const { parentId } = placeOf(session);
    if (parentId === undefined) continue;
    const known = children.get(parentId);
    if (known === undefined) children.set(parentId, [session]);
    else known.push(session);
  }
  return children;
}

/**
 * Finds the sessions below an outermost one, each after the one that it names as the one above it; each is found once, also where
 * several begin below one id.
 */
export function createSessionsBelow<Session>(
  sessions: readonly Session[],
  placeOf: (session: Session) => PlacedSession,
): (top: Session) => Iterable<Session> {
  const children = childrenIn(sessions, placeOf);
  return function* below(top) {
    const ids = new Set([placeOf(top).id]);
    for (const id of ids) {
      const found = children.get(id) ?? [];
      children.delete(id);
      for (const session of found) {
        if (session === top) continue;
        ids.add(placeOf(session).id);
        yield session;
      }
    }
  };
}

/** The ids that lead back to themselves, each with the number of its circle; none of those that only lead to one. */
function circlesIn(parents: ReadonlyMap<string, string | undefined>): ReadonlyMap<string, number> {
  const circles = new Map<string, number>();
  const walked = new Set<string>();
  let circle = 0;
  for (const start of parents.keys()) {
    const way: string[] = [];
    let at: string | undefined = start;
    while (at !== undefined && parents.has(at) && !walked.has(at)) {
      walked.add(at);
      way.push(at);
      at = parents.get(at);
    }
    const back = at === undefined ? -1 : way.indexOf(at);
    if (back < 0) continue;
    circle++;
    for (const id of way.slice(back)) circles.set(id, circle);
  }
  return circles;
}
