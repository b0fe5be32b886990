import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { warn } from "./warn.ts";

/** Where sessions go beside their files. */
export interface StoreTask {
  /** The store's address. */
  readonly url: string;
  /** The flow directory. */
  readonly dir: string;
  /** The price file of the process. */
  readonly prices: string | undefined;
}

/** What the thread has to say of one pass; `undefined`: all is in the store. */
export interface PassAnswer {
  readonly problem: string | undefined;
}

/** Takes what is new in the flow directory into a store, in a thread of its own: the app never waits for a database. */
export interface StoreFollower {
  /** Resolves when all that is in the files is in the store, or can't be; never rejects. */
  pass(): Promise<void>;
  /** A last pass, then the end of the thread. */
  stop(): Promise<void>;
}

const EVERY_MS = 5000;

/**
 * Starts to follow; looks every five seconds. What a store can't take stays in the journal and is taken in later, also by the
 * next process: said once.
 */
export function followIntoStore(task: StoreTask): StoreFollower {
  let isTold = false;
  const tell = (problem: string | undefined): void => {
    if (problem === undefined || isTold) return;
    isTold = true;
    const kept = "What it lacks stays in the files and is taken in later.";
    warn("THOUGHTFLOW_STORE_UNREACHABLE", `The store takes nothing: ${problem} ${kept}`);
  };
  const thread = startThread(task, tell);
  if (thread === undefined) return { pass: async () => {}, stop: async () => {} };
  const waiting: (() => void)[] = [];
  thread.on("message", ({ problem }: PassAnswer) => {
    tell(problem);
    waiting.shift()?.();
    if (waiting.length === 0) thread.unref();
  });
  const gone = (problem: string): void => {
    clearInterval(timer);
    tell(problem);
    for (const resolve of waiting.splice(0)) resolve();
  };
  thread.on("error", (error) => gone(error.message));
  thread.on("exit", () => gone("its thread has ended."));
  thread.unref();

  function pass(mustEnd: boolean): Promise<void> {
    if (mustEnd) thread?.ref();
    return new Promise((resolve) => {
      waiting.push(resolve);
      thread?.postMessage("pass");
    });
  }

  const timer = setInterval(() => {
    if (waiting.length === 0) void pass(false);
  }, EVERY_MS).unref();

  return {
    pass: () => pass(true),
    async stop() {
      clearInterval(timer);
      await pass(true);
      isTold = true;
      await thread.terminate();
    },
  };
}

function startThread(task: StoreTask, tell: (problem: string) => void): Worker | undefined {
  try {
    const program = createRequire(import.meta.url).resolve("#store-thread");
    return new Worker(pathToFileURL(program), {
      name: "thoughtflow-store",
      workerData: task,
      // Nothing of what the app preloads belongs there.
      execArgv: [],
      env: {},
    });
  } catch (error) {
    tell(`no thread can be started (${(error as Error).message}).`);
    return undefined;
  }
}
