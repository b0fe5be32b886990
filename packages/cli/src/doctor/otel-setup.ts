import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Examination } from "./finding.ts";

/** Packages with which apps set OpenTelemetry up themselves. */
const SETUPS = [
  "@opentelemetry/sdk-node",
  "@opentelemetry/sdk-trace-node",
  "@opentelemetry/auto-instrumentations-node",
  "@vercel/otel",
  "@sentry/node",
  "dd-trace",
];

/** Whether the app here brings an OpenTelemetry set-up of its own, and what that means for its files. */
export const examineOtelSetup: Examination = async ({ cwd }) => {
  const subject = "OpenTelemetry set-up";
  const manifest = await readFile(join(cwd, "package.json"), "utf8").catch(() => "{}");
  const own = SETUPS.filter((name) => manifest.includes(`"${name}"`));
  if (own.length === 0) return [{ subject, status: "ok", message: "ThoughtFlow's" }];
  const message =
    `${own.join(", ")} in package.json: where the app registers its own provider, ThoughtFlow works through ` +
    "it. Model calls are in the files; add ThoughtFlowSpanProcessor to have other libraries' spans there too.";
  return [{ subject, status: "ok", message }];
};
