// Not the global, which a test of the application may have replaced.
import { setImmediate } from "node:timers";
import { guarded } from "./degradation.ts";

let tasks: (() => void)[] = [];

/** Runs a task in the next macrotask, off the caller's path; all that wait share one. */
export function soon(task: () => void): void {
  if (tasks.push(task) > 1) return;
  setImmediate(() => {
    const due = tasks;
    tasks = [];
    for (const one of due) guarded("working off the caller's path", one);
  });
}
