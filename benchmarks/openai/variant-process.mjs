import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { copyOfSdk } from "./sdk-copy.mjs";

const folder = fileURLToPath(new URL(".", import.meta.url));

/** Starts the process of a variant: `ask(task, scenario)` has it do something and gives its answer. */
export async function startVariant(variant, dir, execArgv = []) {
  const { name, module, settings } = variant;
  const own = mkdtempSync(join(dir, `${module}-`));
  const args = [JSON.stringify({ module, settings }), own, copyOfSdk(dir, "untouched")];
  const child = fork(join(folder, "worker.mjs"), args, {
    cwd: folder,
    execArgv: [...execArgv, ...(variant.execArgv ?? [])],
    // Nothing of the shell that this runs in: exporters and tracers are set up by variables.
    env: { PATH: process.env.PATH },
  });
  const ended = once(child, "exit");
  const failed = ended.then(([code]) => {
    throw new Error(`The process of "${name}" ended with ${code}.`);
  });
  failed.catch(() => {});
  const answer = async () => (await Promise.race([once(child, "message"), failed]))[0];
  await answer();
  return {
    ask(...task) {
      child.send(task);
      return answer();
    },
    async end() {
      child.disconnect();
      await ended;
    },
  };
}
