import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createOtlpReceiver, type OtlpAnswer } from "@thoughtflow/testkit";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Ending, fixture, runChild } from "./fixtures/run-child.ts";

const started = ["--import", fixture("start.mjs")];
const five = ["span 0", "span 1", "span 2", "span 3", "span 4"];

let dir = "";

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "thoughtflow-exit-"));
});

afterEach(() => rm(dir, { recursive: true }));

describe("the start after one that could not send", () => {
  /** Runs an app against a receiver that gives trouble, and another when it gives none; tells what arrived then. */
  async function arrivesAtTheNextStart(
    trouble: OtlpAnswer,
    ending: readonly string[],
    later: Readonly<Record<string, string>> = {},
  ): Promise<{ readonly first: Ending; readonly arrived: readonly string[] }> {
    let answer: OtlpAnswer = trouble;
    await using receiver = await createOtlpReceiver({ answer: () => answer });
    const environment = {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_EXPORTER_OTLP_TIMEOUT: "500",
      OTEL_EXPORTER_OTLP_HEADERS: "x-tenant=one",
      THOUGHTFLOW_DIR: dir,
    };
    const first = await runChild(ending, environment);
    expect(receiver.spans).toEqual([]);
    answer = {};
    await runChild([...started, fixture("nothing.mjs")], { ...environment, ...later });
    return { first, arrived: receiver.spans.map(({ name }) => name) };
  }

  test.for(["silence", "reset", { status: 503, headers: { "retry-after": "30" } }] as const)(
    "sends what was left by process.exit() while the receiver gave %j",
    async (trouble) => {
      const app = [...started, fixture("endings.mjs"), "by process.exit(0)"];
      const { first, arrived } = await arrivesAtTheNextStart(trouble, app);
      expect(arrived).toEqual(five);
      expect(first).toMatchObject({ code: 0, stdout: "app output\n" });
      expect(first.stderr).toContain(`5 wait in ${dir} for the next start`);
    },
  );

  test("sends what a flush could not, although the process was killed after it", async () => {
    const { first, arrived } = await arrivesAtTheNextStart("reset", [fixture("outage.mjs")]);
    expect(first).toMatchObject({ signal: "SIGKILL", stdout: "3 unsent\n" });
    expect(arrived).toEqual(["before 0", "before 1", "before 2"]);
  });

  test("needs the same credentials: another tenant's spans stay where they are", async () => {
    const { arrived } = await arrivesAtTheNextStart("reset", [fixture("outage.mjs")], {
      OTEL_EXPORTER_OTLP_HEADERS: "x-tenant=two",
    });
    expect(arrived).toEqual([]);
  });
});
