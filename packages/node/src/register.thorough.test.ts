import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createOtlpReceiver } from "@thoughtflow/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fixture, runChild } from "./fixtures/run-child.ts";

const register = fileURLToPath(new URL("../dist/register.js", import.meta.url));

const answer = JSON.stringify({
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1,
  model: "gpt-4.1-mini",
  choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "Yes?" } }],
  usage: { prompt_tokens: 8, completion_tokens: 2, total_tokens: 10 },
});
const model = createServer((_request, response) => {
  response.writeHead(200, { "content-type": "application/json" }).end(answer);
});

let dir = "";
let environment: Record<string, string> = {};

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "thoughtflow-register-"));
  await once(model.listen(0, "127.0.0.1"), "listening");
  const address = model.address();
  const port = typeof address === "object" ? address?.port : undefined;
  environment = { BASE_URL: `http://127.0.0.1:${port}/v1`, THOUGHTFLOW_DIR: join(dir, "flows") };
});

afterAll(async () => {
  model.closeAllConnections();
  model.close();
  await rm(dir, { recursive: true });
});

describe("the register hook", () => {
  test("a conversation becomes one file", async () => {
    const flows = join(dir, "conversation");
    await runChild(["--import", register, fixture("chat.mjs")], {
      ...environment,
      THOUGHTFLOW_DIR: flows,
    });
    const documents = (await readdir(flows)).filter((name) => name.endsWith(".json"));
    const [document = ""] = documents;
    const { conversations } = JSON.parse(await readFile(join(flows, document), "utf8"));
    const labels = conversations.map(({ steps }: { steps: { label: string }[] }) =>
      steps.map(({ label }) => label),
    );
    expect(documents).toHaveLength(1);
    expect(labels).toEqual([
      ["user_message", "assistant_call", "assistant_message"],
      ["user_message", "assistant_call", "assistant_message"],
    ]);
  });

  test.for([
    ["--import", "chat.mjs"],
    ["--import", "chat.cjs"],
    ["--require", "chat.mjs"],
    ["--require", "chat.cjs"],
    // Modules of ours are still being loaded when openai is.
    ["--import", "tracing-and-openai.mjs"],
    ["--import", "worker.mjs", "by itself"],
    ["--import", "worker.mjs", "by process.exit(3)"],
  ])(
    "%s records the calls of %s, which notices nothing",
    async ([flag = "", app = "", ...args]) => {
      await using receiver = await createOtlpReceiver();
      const bare = await runChild([fixture(app), ...args], environment);
      const observed = await runChild([flag, register, fixture(app), ...args], {
        ...environment,
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      });
      expect(bare).toMatchObject({ code: 0, stdout: expect.stringContaining("Yes?"), stderr: "" });
      expect(observed).toEqual(bare);
      expect(receiver.spans.map(({ name }) => name)).toEqual([
        "chat gpt-4.1-mini",
        "invoke_agent",
        "chat gpt-4.1-mini",
        "invoke_agent",
      ]);
    },
  );

  test("an app without openai loads nothing of ours but the hook", async () => {
    const bare = await runChild([fixture("what-is-loaded.cjs")]);
    const observed = await runChild(["--import", register, fixture("what-is-loaded.cjs")]);
    expect(JSON.parse(observed.stdout)).toEqual({
      ...JSON.parse(bare.stdout),
      marks: ["thoughtflow.openai.v1", "thoughtflow.tracing-start.v1"],
    });
  });

  test("a start loads no package of OpenTelemetry in two versions", async () => {
    const { stdout } = await runChild([fixture("loaded-by-start.mjs")], environment);
    const names = JSON.parse(stdout).map((folder: string) => basename(folder));
    expect(names).toContain("sdk-trace-node");
    expect(names).toEqual([...new Set(names)]);
  });

  test.for(["THOUGHTFLOW_DISABLED", "OTEL_SDK_DISABLED"])("%s leaves no trace", async (name) => {
    await using receiver = await createOtlpReceiver();
    const off = {
      ...environment,
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      THOUGHTFLOW_DIR: join(dir, "off"),
      [name]: "true",
    };
    const bare = await runChild([fixture("what-is-loaded.cjs")]);
    expect(await runChild(["--import", register, fixture("what-is-loaded.cjs")], off)).toEqual(
      bare,
    );
    const { code } = await runChild(["--import", register, fixture("chat.mjs")], off);
    expect(code).toBe(0);
    expect(receiver.requests).toEqual([]);
    expect(await readdir(dir)).not.toContain("off");
  });

  test.for(["@opentelemetry/api", "opentelemetry-api-1.10"])(
    "an app that sets up its own provider with %s later gets all its spans",
    async (api) => {
      const own = [fixture("own-otel.mjs"), api];
      const observed = await runChild(["--import", register, ...own], environment);
      expect(observed).toEqual({
        code: 0,
        signal: null,
        stdout: `${JSON.stringify([
          "after the call",
          "before the call",
          "chat gpt-4.1-mini",
          "invoke_agent",
        ])}\n`,
        stderr: "",
      });
    },
  );

  test.each([
    ["THOUGHTFLOW_REDACT", "some", 'THOUGHTFLOW_REDACT is "some", expected true or false.'],
    ["THOUGHTFLOW_PRICES", "none.json", 'prices is "none.json", expected a price file ('],
  ])(
    "an invalid %s switches it off with one warning; the app goes on",
    async (name, value, said) => {
      const bare = await runChild([fixture("chat.mjs")], environment);
      const { stderr, ...rest } = await runChild(["--import", register, fixture("chat.mjs")], {
        ...environment,
        [name]: value,
      });
      expect({ ...rest, stderr: "" }).toEqual(bare);
      expect(stderr).toContain(
        `[THOUGHTFLOW_INVALID_OPTIONS] ThoughtFlowWarning: ThoughtFlow is off: ${said}`,
      );
      expect(stderr.match(/ThoughtFlow is off/g)).toHaveLength(1);
    },
  );
});

describe("startThoughtFlow in an app", () => {
  test("observes an openai that was loaded before, when it is given", async () => {
    await using receiver = await createOtlpReceiver();
    const { code, stderr } = await runChild([fixture("started-by-hand.mjs")], {
      ...environment,
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(receiver.spans).toHaveLength(4);
  });
});
