import { once } from "node:events";
import { join } from "node:path";
import { openJournal } from "@thoughtflow/journal";
import { expect, onTestFinished, test } from "vitest";
import { capturedIo } from "../../testing/captured-io.ts";
import { directoryWith } from "../../testing/flow-directory.ts";
import { startCli } from "../../testing/spawned-cli.ts";
import { stepRecord } from "../../testing/step-record.ts";
import { thoughtflow } from "../thoughtflow.ts";

test("the steps of a running agent are told as they happen, each state once", async () => {
  const cwd = directoryWith();
  const journal = openJournal({ dir: join(cwd, "thoughtflow") });
  onTestFinished(() => journal.closeSync());
  const child = startCli(["tail"], cwd);
  onTestFinished(() => void child.kill());
  child.stdout?.setEncoding("utf8");
  let text = "";
  const until = async (words: string) => {
    while (!text.includes(words)) {
      const [piece] = await once(child.stdout ?? child, "data");
      text += piece;
    }
  };
  const happens = async (
    words: string,
    ...records: readonly Parameters<typeof journal.append>[0][]
  ) => {
    for (const record of records) journal.append(record);
    await journal.flush();
    await until(words);
  };
  await happens("… tool first", stepRecord("span_start", "s", "first"));
  await happens("✓ tool first", stepRecord("span_end", "s", "first"));
  await happens("tool second", stepRecord("span_end", "s", "second", { traceId: "b".repeat(32) }));
  const exit = once(child, "exit");
  child.kill("SIGINT");
  expect(await exit).toEqual([null, "SIGINT"]);
  expect(text.match(/✓ tool first/g)).toHaveLength(1);
  expect(text.split("\n")[0]).toBe("s");
});

test("a session that is not there is waited for only when that is asked", async () => {
  const cwd = directoryWith();
  const dir = join(cwd, "thoughtflow");
  const io = capturedIo(cwd);
  expect(await thoughtflow(["tail", "nosuch"], io)).toBe(1);
  expect(io.stderr()).toBe(
    `There is no session nosuch in the journals of ${dir}. See: thoughtflow list; to wait for it: thoughtflow tail --wait nosuch\n`,
  );
  const child = startCli(["tail", "--wait", "nosuch"], cwd);
  onTestFinished(() => void child.kill());
  const [words] = await once(child.stderr ?? child, "data");
  expect(String(words)).toBe(
    `There is no session nosuch in the journals of ${dir} yet: waiting for it.\n`,
  );
  const journal = openJournal({ dir });
  onTestFinished(() => journal.closeSync());
  journal.append(stepRecord("span_end", "nosuch", "first"));
  await journal.flush();
  const [line] = await once(child.stdout ?? child, "data");
  expect(String(line)).toMatch(/^nosuch\n/);
});
