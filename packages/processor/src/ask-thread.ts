import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { type ResourceLimits, Worker } from "node:worker_threads";

/** What `askThread` rejects with where a thread can't be had: no permission, or the app is one bundled file. */
export class NoThreadError extends Error {
  override readonly name = "NoThreadError";
}

/** What a thread has to say in the end. */
export type ThreadAnswer<T> = { readonly answer: T } | { readonly problem: unknown };

export interface ThreadOptions {
  readonly resourceLimits?: ResourceLimits;
  /** The process stays alive for the answer. */
  readonly mustEnd: boolean;
}

/**
 * What a thread of its own makes of a task, so that the app's thread goes on. Rejects with the thread's problem, or with
 * `ERR_WORKER_OUT_OF_MEMORY`.
 */
export function askThread<T>(
  program: "#document-thread" | "#recovery-thread",
  task: object,
  { resourceLimits = {}, mustEnd }: ThreadOptions,
): Promise<T> {
  const thread = startThread(program, task, resourceLimits);
  if (!mustEnd) thread.unref();
  return new Promise((resolve, reject) => {
    thread.on("message", (said: ThreadAnswer<T>) => {
      if ("problem" in said) reject(said.problem);
      else resolve(said.answer);
    });
    thread.on("error", (cause) => reject(failure(cause)));
    thread.on("exit", (code) => reject(failure(code)));
  });
}

function startThread(program: string, workerData: object, resourceLimits: ResourceLimits): Worker {
  try {
    return new Worker(pathToFileURL(createRequire(import.meta.url).resolve(program)), {
      name: "thoughtflow",
      workerData,
      // Nothing of what the app preloads belongs there.
      execArgv: [],
      env: {},
      resourceLimits,
    });
  } catch (cause) {
    throw new NoThreadError("no thread to work in", { cause });
  }
}

/** Too little memory there is too little memory here. */
function failure(cause: unknown): unknown {
  return isOutOfMemory(cause) ? cause : new NoThreadError("no thread to work in", { cause });
}

export function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
}
