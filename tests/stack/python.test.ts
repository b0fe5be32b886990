import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Session } from "@thoughtflow/schema";
import { createFlowServer, resolveServerOptions } from "@thoughtflow/server";
import { expect, test } from "vitest";
import { PYTHON_WITH_OTEL, pythonProgram } from "./python-program.ts";

const PAGE = new URL("../../docs/receiver.md", import.meta.url);

test.each(["protobuf", "gzip"])(
  "the page's program in Python, sent as %s, leaves a session with all that it said",
  async (form) => {
    const [, program = ""] =
      /^```python weather\.py\n([\s\S]*?)^```$/m.exec(readFileSync(PAGE, "utf8")) ?? [];
    const dir = mkdtempSync(join(tmpdir(), "thoughtflow-python-"));
    const server = createFlowServer(resolveServerOptions({ dir, port: 0 }));
    const { url } = await server.listen();
    try {
      const file = join(dir, "weather.py");
      writeFileSync(file, program);
      await promisify(execFile)(pythonProgram(PYTHON_WITH_OTEL), [file], {
        env: {
          OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${url}/v1/traces`,
          OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: "http/protobuf",
          ...(form === "gzip" && { OTEL_EXPORTER_OTLP_TRACES_COMPRESSION: "gzip" }),
        },
      });
      await server.flush();
      const session: Session = JSON.parse(readFileSync(join(dir, "weather-1.json"), "utf8"));
      const [run] = session.conversations;
      expect(run?.agent).toBe("weather");
      const steps = run?.steps ?? [];
      expect(steps.map(({ label }) => label)).toEqual([
        "user_message",
        "assistant_call",
        "tool_call",
        "tool_output",
        "assistant_call",
        "assistant_message",
      ]);
      const labelOf = new Map(steps.map(({ step_id, label }) => [step_id, label]));
      const restsOn = steps.map(({ depends_on = [] }) =>
        [depends_on].flat().map((id) => labelOf.get(id)),
      );
      expect(restsOn[2]).toEqual(["assistant_call"]);
      expect(restsOn[3]).toEqual(["tool_call"]);
      expect(restsOn[4]).toContain("tool_output");
      expect(restsOn[5]).toEqual(["assistant_call"]);
      expect(steps.at(-1)?.payload_completed).toMatchObject({
        text: "Yes: rain from four o'clock.",
      });
      expect(session.resource).toMatchObject({
        "service.name": "weather",
        "telemetry.sdk.language": "python",
      });
    } finally {
      await server.close();
      rmSync(dir, { recursive: true, force: true });
    }
  },
);
