import * as nodeFileSystem from "node:fs";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createJournalReader } from "@thoughtflow/journal";
import { createFlowIntake } from "@thoughtflow/processor/intake";
import { createFaultyFileSystem } from "@thoughtflow/testkit";
import { expect, test, vi } from "vitest";
import { requestOf, toolSpan } from "../testing/received-spans.ts";
import { createFlowServer, resolveServerOptions } from "./index.ts";

test.each(["ENOSPC", "EDQUOT", "EIO"])(
  "a disk that says %s is told with 503 and when to come again, and what was acknowledged stays",
  async (code) => {
    const dir = mkdtempSync(join(tmpdir(), "full-disk-"));
    let isFull = false;
    const codeFor = ({ name }: { name: string }) =>
      isFull && name.startsWith("write") ? code : undefined;
    const { fs } = createFaultyFileSystem(nodeFileSystem, { codeFor });
    const intake = createFlowIntake({ dir, fs });
    const server = createFlowServer(resolveServerOptions({ dir, port: 0 }), { intake });
    const { url } = await server.listen();
    const post = async (n: number) => {
      const answer = await fetch(`${url}/v1/traces`, {
        method: "POST",
        headers: { "Content-Type": "application/x-protobuf" },
        body: requestOf(toolSpan(n)) as Uint8Array<ArrayBuffer>,
      });
      await answer.arrayBuffer();
      return { n, status: answer.status, after: answer.headers.get("retry-after") };
    };
    try {
      const before = [await post(1), await post(2)];
      isFull = true;
      const meanwhile = [await post(3), await post(4)];
      isFull = false;
      // An exporter sends again, as often as it has to.
      const again: Awaited<ReturnType<typeof post>>[] = [];
      await vi.waitFor(
        async () => {
          again.push(await post(3));
          expect(again.at(-1)?.status).toBe(200);
        },
        { timeout: 30_000, interval: 200 },
      );
      expect(before.map(({ status }) => status)).toEqual([200, 200]);
      expect(meanwhile.map(({ status, after }) => [status, after])).toEqual([
        [503, "5"],
        [503, "5"],
      ]);
      const reader = createJournalReader(dir);
      reader.refreshSync();
      const kept = reader
        .recordsOfSession("s")
        .map((record) => "spanId" in record && record.spanId);
      for (const { n } of [...before, { n: 3 }]) expect(kept).toContain(toolSpan(n).spanId);
    } finally {
      await server.close();
      rmSync(dir, { recursive: true, force: true });
    }
  },
);
