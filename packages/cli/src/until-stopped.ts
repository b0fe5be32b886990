import { isAloneInNpx } from "./npx-environment.ts";

/** How often it is looked whether the shell is still there. */
const LOOK_MS = 500;

/**
 * Resolves at SIGINT or SIGTERM. `npx thoughtflow` is npm, a shell and this process: npm hands a signal to the shell alone, which ends without telling
 * anybody. So where npm put a shell around this command and nothing else, the end of that shell asks, too. Who starts it in any other way may end
 * before it: a script that leaves it in the background, a service manager.
 *
 * @param parent the process that started this one
 */
export function untilStopped(parent: number, env: NodeJS.ProcessEnv): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
    if (!isAloneInNpx(env)) return;
    const looking = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(looking);
      resolve();
    }, LOOK_MS).unref();
  });
}
