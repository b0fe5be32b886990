import { spawn } from "node:child_process";

const TELL_NODE = `import { writeSync } from "node:fs";
process.on("exit", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  writeSync(3, JSON.stringify({ seconds: (userCPUTime + systemCPUTime) / 1e6, megabytes: maxRSS / 1024 }));
});`;
const TELL_PYTHON = `
import atexit, json, os, resource, runpy, sys
def tell():
    used = resource.getrusage(resource.RUSAGE_SELF)
    os.write(3, json.dumps({"seconds": used.ru_utime + used.ru_stime, "megabytes": used.ru_maxrss / 1024}).encode())
atexit.register(tell)
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
`;

/** CPU seconds and the largest resident memory (MiB) of a program of Node, of all its threads; it says them as it ends. */
export function resourcesOfNode(argv) {
  const preload = `data:text/javascript,${encodeURIComponent(TELL_NODE)}`;
  return resourcesOf(process.execPath, ["--import", preload, ...argv]);
}

/** The same of a Python program: `[path of its script, …arguments]`, run by the `python` beside the script. */
export function resourcesOfPython([script, ...argv], env) {
  return resourcesOf(script.replace(/[^/]+$/, "python"), ["-c", TELL_PYTHON, script, ...argv], env);
}

function resourcesOf(command, argv, env = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, argv, {
      stdio: ["ignore", "ignore", "ignore", "pipe"],
      env: { ...process.env, ...env },
    });
    let told = "";
    child.stdio[3].on("data", (piece) => {
      told += piece;
    });
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0 && told !== "") resolve(JSON.parse(told));
      else reject(new Error(`${argv.slice(2).join(" ")}: exit ${code}`));
    });
  });
}
