import { connect } from "node:net";
import type { ThoughtFlowConfig } from "@thoughtflow/node";
import type { Examination, Finding } from "./finding.ts";

const CONNECT_TIMEOUT_MS = 2000;

/** What the environment asks for, read as an app would read it: switches, content, where spans go. */
export const examineSettings: Examination = async ({ env }) => {
  // Brings OpenTelemetry with it, which no other command needs.
  const { InvalidOptionsError, resolveThoughtFlowOptions } = await import("@thoughtflow/node");
  try {
    const config = resolveThoughtFlowOptions({}, env);
    return [
      ...switchedOff(config),
      ...config.notices.map(
        (message): Finding => ({ subject: "settings", status: "warning", message }),
      ),
      contentFinding(config),
      await otlpFinding(config),
    ];
  } catch (error) {
    if (!(error instanceof InvalidOptionsError)) throw error;
    return [{ subject: "settings", status: "failure", message: error.message }];
  }
};

function switchedOff({ disabled }: ThoughtFlowConfig): readonly Finding[] {
  if (!disabled) return [];
  const message = "ThoughtFlow is switched off by THOUGHTFLOW_DISABLED or OTEL_SDK_DISABLED.";
  return [{ subject: "settings", status: "warning", message }];
}

function contentFinding(config: ThoughtFlowConfig): Finding {
  const onOff = (on: boolean) => (on ? "on" : "off");
  const message =
    `in files ${onOff(config.captureContent)} (THOUGHTFLOW_CAPTURE_CONTENT), ` +
    `on OTLP spans ${onOff(config.captureContentOnSpans)} ` +
    "(OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT), " +
    `masking of key-like texts ${onOff(config.redact !== false)} (THOUGHTFLOW_REDACT)`;
  return { subject: "content", status: "ok", message };
}

async function otlpFinding({ otlp }: ThoughtFlowConfig): Promise<Finding> {
  const subject = "OTLP";
  if (otlp === undefined) {
    const message = "nothing is sent; OTEL_EXPORTER_OTLP_ENDPOINT would say where to";
    return { subject, status: "ok", message };
  }
  const { protocol, host, hostname, port } = new URL(otlp.url);
  const problem = await connectionProblem(
    hostname.replace(/^\[|\]$/g, ""),
    Number(port) || (protocol === "https:" ? 443 : 80),
  );
  if (problem === undefined) {
    return {
      subject,
      status: "ok",
      message: `${host} answers; spans go there as ${otlp.protocol}`,
    };
  }
  return { subject, status: "failure", message: `${host} doesn't answer: ${problem}` };
}

/** Why no TCP connection can be made; `undefined` when one can. Sends nothing. */
function connectionProblem(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: CONNECT_TIMEOUT_MS });
    const end = (problem?: string) => {
      socket.destroy();
      resolve(problem);
    };
    socket.on("connect", () => end());
    socket.on("timeout", () => end(`no answer within ${CONNECT_TIMEOUT_MS / 1000} s`));
    socket.on("error", (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
  });
}
