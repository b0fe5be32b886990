import { existsSync } from "node:fs";
import type { CommandIo } from "./command-io.ts";
import type { SessionState } from "./session-changes.ts";
import { shownPath } from "./shown-path.ts";

/** Named one by one; more are counted. */
const MOST = 5;

/** Tells where the sessions are that were just written, with the drawings beside them. */
export function sayFiles(sessions: readonly SessionState[], io: CommandIo): void {
  if (sessions.length === 0) return;
  io.say("\nThoughtFlow wrote:");
  for (const { path } of sessions.slice(0, MOST)) io.say(`  ${writtenFiles(path, io.cwd)}`);
  if (sessions.length > MOST) io.say(`  and ${sessions.length - MOST} more: thoughtflow list`);
}

/** `thoughtflow/<session>.json .d2 .svg`, as far as they are there. */
export function writtenFiles(path: string, cwd: string): string {
  const stem = path.replace(/\.json$/, "");
  const drawings = [".d2", ".svg"].filter((extension) => existsSync(stem + extension));
  return [shownPath(path, cwd), ...drawings].join(" ");
}
