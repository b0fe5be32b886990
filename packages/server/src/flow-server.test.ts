import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { createFlowServer, resolveServerOptions } from "./index.ts";

test.runIf(existsSync("/proc/self"))("no server is made over a directory that can't be", () => {
  const config = resolveServerOptions({ dir: "/proc/thoughtflow/flows" });
  expect(() => createFlowServer(config)).toThrow("ENOENT");
});
