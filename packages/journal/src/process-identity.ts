import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { threadId } from "node:worker_threads";
import { fromJson } from "@thoughtflow/schema/plain-json";

/** One process, told apart from all others, also from a later one with its number. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly thread: number;
  /** The machine, its boot and its space of process ids: a pid says something only to those inside. */
  readonly space: string;
  /** When it started, in ticks since boot; absent where the system does not tell. */
  readonly started?: string;
}

/** `unknown`: in another space, of which nothing can be seen from here. */
export type ProcessLife = "alive" | "dead" | "unknown";

/** What can be seen of other processes; tests pass another view. */
export interface ProcessView {
  readonly space: string;
  /** Whether some process has the number now. */
  isRunning(pid: number): boolean;
  /** When the process that has the number now started; `undefined` where the system does not tell. */
  startOf(pid: number): string | undefined;
}

let ownView: ProcessView | undefined;

/** The view from this process; made once, it does not change. */
export function processView(): ProcessView {
  ownView ??= { space: ownSpace(), isRunning, startOf };
  return ownView;
}

export function identityOf(pid: number, view: ProcessView = processView()): ProcessIdentity {
  const started = view.startOf(pid);
  const { space } = view;
  return { pid, thread: threadId, space, ...(started !== undefined && { started }) };
}

let own: ProcessIdentity | undefined;

/** This process's; found out once, since each lease tells it. */
export function ownIdentity(): ProcessIdentity {
  own ??= identityOf(process.pid);
  return own;
}

/** Whether a process still runs. A number that was given to another process since is recognised by its start. */
export function lifeOf(
  { pid, space, started }: ProcessIdentity,
  view: ProcessView = processView(),
): ProcessLife {
  if (space !== view.space) return "unknown";
  if (!view.isRunning(pid)) return "dead";
  return started === undefined || started === view.startOf(pid) ? "alive" : "dead";
}

/** The identity that a text of JSON tells; `undefined` when it tells none. */
export function parseIdentity(text: string): ProcessIdentity | undefined {
  try {
    const { pid, thread, space, started } = fromJson(text);
    if (!Number.isSafeInteger(pid) || pid <= 0 || typeof space !== "string") return undefined;
    return {
      pid,
      thread: Number(thread) || 0,
      space,
      ...(started && { started: String(started) }),
    };
  } catch {
    return undefined;
  }
}

function ownSpace(): string {
  const boot = textOr("", () => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim());
  const pids = textOr("", () => readlinkSync("/proc/self/ns/pid"));
  return [hostname(), boot, pids].filter((part) => part !== "").join(" ");
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    // Somebody else's process is one, too.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** It was killed, and its parent has not asked what became of it. */
function isZombie(pid: number): boolean {
  return statOf(pid)[0] === "Z";
}

function startOf(pid: number): string | undefined {
  return statOf(pid)[19];
}

/** The fields of `/proc/<pid>/stat` behind the program's name, which may hold anything; the state is the first. */
function statOf(pid: number): readonly string[] {
  const text = textOr("", () => readFileSync(`/proc/${pid}/stat`, "utf8"));
  return text.slice(text.lastIndexOf(")") + 2).split(" ");
}

function textOr(otherwise: string, read: () => string): string {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
