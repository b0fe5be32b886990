import { mkdtemp, readFile, rm } from "node:fs/promises";
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

describe.each(["official", "thoughtflow"])(
  "with the exporter %s a process that ends",
  { timeout: 30_000 },
  (THOUGHTFLOW_OTLP_EXPORTER) => {
    test.for([
      ["by itself", five],
      ["by itself with an exit code", five],
      ["by process.exit(0)", five],
      ["by process.exit(3) in a timer", five],
      ["by an error", five],
      ["by a rejection", five],
      ["by SIGTERM", five],
      ["by SIGINT", five],
      ["by SIGTERM that the app handles", [...five, "closing"]],
      ["by SIGTERM that the app handles slowly", [...five, "closing"]],
      ["by waiting for nothing", five],
      ["with work in its exit handler", [...five, "last"]],
      ["with work when it is idle", [...five, "idle work"]],
    ] as const)("%s delivers every span and ends as it would have", async ([ending, spans]) => {
      await using receiver = await createOtlpReceiver();
      const environment = {
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
        THOUGHTFLOW_DIR: dir,
        THOUGHTFLOW_OTLP_EXPORTER,
      };
      const app = [fixture("endings.mjs"), ending];
      const [bare, observed] = await Promise.all([
        runChild(app),
        runChild([...started, ...app], environment),
      ]);
      expect(observed).toEqual(bare);
      expect(receiver.spans.map(({ name }) => name)).toEqual(spans);
      // Each of these spans is a trace, and so a run, of its own.
      const document = JSON.parse(await readFile(join(dir, "ending.json"), "utf8"));
      expect(document.conversations).toHaveLength(spans.length);
    });

    test("sends JSON at the end too, with the headers that were asked for", async () => {
      await using receiver = await createOtlpReceiver();
      await runChild([...started, fixture("endings.mjs"), "by process.exit(0)"], {
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
        OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
        OTEL_EXPORTER_OTLP_HEADERS: "x-key=abc",
        THOUGHTFLOW_DIR: dir,
        THOUGHTFLOW_OTLP_EXPORTER,
      });
      expect(receiver.spans.map(({ name }) => name)).toEqual(five);
      expect(receiver.requests[0]?.headers).toMatchObject({
        "content-type": "application/json",
        "x-key": "abc",
      });
    });

    test("with a receiver that is away loses two seconds at most, and says what was lost", async () => {
      const begin = performance.now();
      const { code, stdout, stderr } = await runChild(
        [...started, fixture("endings.mjs"), "by itself"],
        {
          OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9",
          THOUGHTFLOW_DIR: dir,
          THOUGHTFLOW_OTLP_EXPORTER,
        },
      );
      expect({ code, stdout }).toEqual({ code: 0, stdout: "app output\n" });
      expect(stderr).toContain("Spans can't be sent to http://127.0.0.1:9/v1/traces");
      expect(stderr).toContain("5 spans were not sent to http://127.0.0.1:9/v1/traces");
      expect(performance.now() - begin).toBeLessThan(12_000);
    });

    test("without the permission for threads says what could not be sent", async () => {
      await using receiver = await createOtlpReceiver();
      const { code, stdout, stderr } = await runChild(
        [
          ...["--permission", "--allow-fs-read=*", "--allow-fs-write=*"],
          ...[...started, fixture("endings.mjs"), "by process.exit(0)"],
        ],
        {
          OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
          THOUGHTFLOW_DIR: dir,
          THOUGHTFLOW_OTLP_EXPORTER,
        },
      );
      expect({ code, stdout }).toEqual({ code: 0, stdout: "app output\n" });
      expect(stderr).toContain(`5 spans were not sent to ${receiver.url}/v1/traces`);
    });
  },
);

describe("the start after one that could not send", { timeout: 30_000 }, () => {
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
