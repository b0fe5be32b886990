import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";

const RUNNER = join(import.meta.dirname, "run-scenarios.mjs");

/** What is loaded before the app: our instrumentation, or one that is broken on purpose. */
export type Subject =
  | "instrumentation"
  | "chained-promise"
  | "eager-parse"
  | "background-tee"
  | "read-ahead"
  | "lost-abort";

/** Which openai is to be run, as what, on which Node. */
export interface Target {
  /** The directory of an openai package. */
  readonly directory: string;
  readonly kind: "mjs" | "cjs";
  /** Default: the Node of this process. */
  readonly node?: string;
  /** Of the names of the scenarios to run; default: all. */
  readonly pattern?: string;
}

/** What the app of a scenario noticed; see `perform.mjs`. */
export type Noticed = Readonly<
  Record<"ending" | "log" | "requests" | "unhandled" | "warnings", unknown>
>;

/** What an instrumentation told in a scenario. */
export interface SpanReport {
  /** The model calls that ended, in a line each. */
  readonly calls: readonly string[];
  /** Names of spans that never ended, not even when all the app held was collected. */
  readonly open: readonly string[];
  /** Failures of ours that were caught, with how often each place had failed by then. */
  readonly failures: readonly (readonly [place: string, count: number])[];
}

/** A scenario that was run. */
export interface Performed {
  readonly name: string;
  /** The model calls as the scenario expects them, or how many. */
  readonly expected?: readonly string[] | number;
  /** True where the content of a call can't be read. */
  readonly unreadable?: boolean;
  /** True where this version of openai has no such thing. */
  readonly absent?: boolean;
  readonly noticed?: Noticed;
  readonly spans?: SpanReport;
}

/**
 * Runs the scenarios in a process of their own; without a subject the app is bare.
 *
 * @throws when the process ends with anything but 0, with the end of what it wrote to stderr
 */
export async function runSubject(target: Target, subject?: Subject): Promise<Performed[]> {
  const { directory, kind, node = process.execPath, pattern = "" } = target;
  const flag = kind === "mjs" ? "--import" : "--require";
  const preload =
    subject === undefined ? [] : [flag, join(import.meta.dirname, "subjects", `${subject}.mjs`)];
  const child = spawn(node, [...preload, RUNNER, directory, kind, pattern], {
    env: { PATH: process.env["PATH"] },
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(-2_000);
  });
  const code = new Promise<number | null>((resolve) => child.on("close", resolve));
  const performed: Performed[] = [];
  for await (const line of createInterface(child.stdout)) performed.push(JSON.parse(line));
  if ((await code) !== 0) {
    throw new Error(
      `${subject ?? "bare"} ended with ${await code} after ${performed.length} scenarios:\n${stderr}`,
    );
  }
  return performed;
}
