// Preloaded with --import: calls of node:fs that concern the flow directory go wrong as FAULT, JSON, says. `end` of
// globalThis.fault makes everything well again; `begin` starts it where "waits" is true.
//   { "kill": 7 }              the process is killed instead of its 7th call; a write is torn in its middle first
//   { "code": "EIO", "calls": ["renameSync", "rename"] }   these fail, all of them where nothing is named
//   { "bytes": 65536 }         there is room for so much, then ENOSPC
//   { "delayMs": 300 }         those with a callback take so long
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const fault = JSON.parse(process.env.FAULT ?? "{}");
const dir = process.env.THOUGHTFLOW_DIR;
const descriptors = new Set();
let isOn = fault.waits !== true;
let count = 0;
let taken = 0;

globalThis.fault = {
  begin: () => {
    isOn = true;
  },
  end: () => {
    isOn = false;
  },
};

const CALLS = [
  ...["close", "closeSync", "fstatSync", "fsync", "fsyncSync", "futimesSync", "lstatSync"],
  ...["mkdirSync", "open", "openSync", "read", "readSync", "readFileSync", "readdirSync"],
  ...["realpathSync", "rename", "renameSync", "statSync", "unlink", "unlinkSync", "write"],
  ...["writeFileSync", "writeSync"],
];
const real = Object.fromEntries(CALLS.map((name) => [name, fs[name]]));

function isOurs(target) {
  return typeof target === "number"
    ? descriptors.has(target)
    : typeof target === "string" && target.startsWith(dir);
}

function failure(code, name) {
  return Object.assign(new Error(`${code}: ${name}`), { code });
}

/** What the call may take of a write; the error it fails with. */
function verdictOn(name, args) {
  count++;
  if (count === fault.kill) {
    if (name.startsWith("write") && typeof args[3] === "number")
      real.writeSync(args[0], args[1], args[2], args[3] >> 1);
    process.kill(process.pid, "SIGKILL");
  }
  if (fault.code !== undefined && (fault.calls === undefined || fault.calls.includes(name)))
    return { error: failure(fault.code, name) };
  if (fault.bytes === undefined || !name.startsWith("write")) return {};
  const size = typeof args[3] === "number" ? args[3] : Buffer.byteLength(String(args[1]));
  const most = Math.min(size, fault.bytes - taken);
  if (most <= 0) return { error: failure("ENOSPC", name) };
  taken += most;
  return { most };
}

for (const name of CALLS) {
  fs[name] = (...args) => {
    if (!isOurs(args[0])) return real[name](...args);
    const done = args.at(-1);
    const hasCallback = typeof done === "function";
    const { error, most } = isOn ? verdictOn(name, args) : {};
    if (error !== undefined) {
      if (!hasCallback) throw error;
      return void setImmediate(() => done(error));
    }
    if (most !== undefined && typeof args[3] === "number") args[3] = most;
    if (name.startsWith("close")) descriptors.delete(args[0]);
    if (hasCallback && isOn && fault.delayMs !== undefined)
      return void setTimeout(() => real[name](...args), fault.delayMs);
    const result = real[name](...args);
    if (name === "openSync") descriptors.add(result);
    return result;
  };
}
syncBuiltinESMExports();
