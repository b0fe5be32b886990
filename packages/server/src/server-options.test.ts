import { expect, test } from "vitest";
import { resolveServerOptions } from "./index.ts";

const WHOLE = "a whole number from 1 on is expected";

test.each([
  [{ dir: "" }, 'dir "": a path is expected'],
  [{ host: 7 }, "host 7: an address is expected"],
  [{ port: "x" }, 'port "x": a whole number from 0 to 65535 is expected'],
  [{ port: -1 }, "port -1: a whole number from 0 to 65535 is expected"],
  [{ allowRemote: "yes" }, 'allowRemote "yes": true or false is expected'],
  [{ token: "secret" }, "token: 16 or more letters, digits or -._~+/ are expected"],
  [{ token: 7 }, "token: 16 or more letters, digits or -._~+/ are expected"],
  [{ allowedHosts: "one" }, 'allowedHosts "one": a list of host names is expected'],
  [{ allowedHosts: ["", ""] }, 'allowedHosts ["",""]: a list of host names is expected'],
  [{ workers: 65 }, "workers 65: a whole number from 1 to 64 is expected"],
  [{ maxRatio: 1.5, maxSpans: 0 }, `maxRatio 1.5: ${WHOLE}\nmaxSpans 0: ${WHOLE}`],
  [{ maxDiskBytes: "10 GiB" }, 'maxDiskBytes "10 GiB": a number of bytes above 0 is expected'],
  [{ dri: "x", prot: 1 }, '"dri", "prot": no such setting'],
])("%j is told by setting, value and what is allowed", (options, message) => {
  const expected = expect.objectContaining({ name: "ServerOptionsError", message });
  expect(() => resolveServerOptions(options)).toThrow(expected);
});
