import { lstat, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { d2 } from "@thoughtflow/render";
import { checkSession, readSession, type Session } from "@thoughtflow/schema";

/** What a flow directory holds. */
export interface VerifiedFlows {
  readonly sessions: readonly Session[];
  /** What no flow directory may ever hold, whatever happened to the processes that wrote it. */
  readonly problems: readonly string[];
}

/**
 * Looks whether a flow directory is sound: every document is valid and has every step once, its diagram shows the same,
 * every other file is one of ours, nothing can be read by others, nothing half written or locked stays.
 */
export async function verifyFlows(dir: string): Promise<VerifiedFlows> {
  const sessions: Session[] = [];
  const problems: string[] = [];
  const names = (await readdir(dir, { recursive: true })).sort();
  for (const name of names) {
    const status = await lstat(join(dir, name));
    const mode = (status.mode & 0o777).toString(8);
    if (mode !== (status.isDirectory() ? "700" : "600")) problems.push(`${name} has mode ${mode}`);
    if (/\.lease$|(?:^|\/)\.tmp-/.test(name)) problems.push(`${name} was left behind`);
    if (/^[^./]+\.json$/.test(name)) {
      const result = readSession(await readFile(join(dir, name), "utf8"));
      if (result.ok) {
        sessions.push(result.session);
        const diagram = await readFile(join(dir, name.replace(/json$/, "d2")), "utf8").catch(
          () => "",
        );
        if (diagram !== d2.render(result.session)) problems.push(`${name} has another's diagram`);
      }
      const found = result.ok ? checkSession(result.session) : result.problems;
      for (const { message } of found) problems.push(`${name}: ${message}`);
    }
  }
  for (const session of sessions) problems.push(...repeatedSteps(session));
  return { sessions, problems };
}

function repeatedSteps({ conversations }: Session): readonly string[] {
  const spans = conversations.flatMap(({ steps }) =>
    steps.flatMap(({ span_id, origin }) => (origin === "recorded" ? [span_id] : [])),
  );
  return spans
    .filter((id, at) => spans.indexOf(id) !== at)
    .map((id) => `step ${id} stands there twice`);
}

/** The ids of all steps, in order. */
export function stepIds(session: Session | undefined): readonly string[] {
  return (session?.conversations ?? [])
    .flatMap(({ steps }) => steps.map(({ step_id }) => step_id))
    .sort();
}

/** What a killed process may leave: what it was writing, and a lease that it had not signed yet. Later ones clear it away. */
export function isLeftByKilled(problem: string): boolean {
  return /\.tmp-\w+ was left|\.lease was left/.test(problem);
}
