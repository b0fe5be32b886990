import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { capturedIo } from "../testing/captured-io.ts";
import { directoryWith } from "../testing/flow-directory.ts";
import { loadSession } from "./load-session.ts";

test("a document that is longer than a text can be is told as such", async () => {
  const dir = directoryWith({});
  const path = join(dir, "long.json");
  writeFileSync(path, "{");
  truncateSync(path, 600 * 1024 ** 2);
  await expect(loadSession("long", dir, capturedIo(dir))).rejects.toThrow(
    "long.json is too long for this command, which reads what is not indented as ThoughtFlow does in one piece of 512 MiB at most",
  );
});
