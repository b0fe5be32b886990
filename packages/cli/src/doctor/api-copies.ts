import { fileURLToPath } from "node:url";
import { installedCopies } from "../installed-package.ts";
import type { Examination } from "./finding.ts";

/** Two versions of the OpenTelemetry API in one process can shut each other out. */
export const examineApiCopies: Examination = async ({ cwd }) => {
  const subject = "OpenTelemetry API";
  const here = fileURLToPath(new URL(".", import.meta.url));
  const copies = [cwd, here].flatMap((from) => installedCopies("@opentelemetry/api", from));
  const versions = [...new Set(copies.map(({ version }) => version))].sort();
  if (versions.length < 2) {
    return [{ subject, status: "ok", message: versions[0] ?? "none in this project" }];
  }
  const places = [...new Set(copies.map(({ version, directory }) => `${version} in ${directory}`))];
  const message =
    `${versions.length} versions: ${places.join(", ")}. Whichever an app loads first may not see the ` +
    "spans of the other. Make them one: npm dedupe";
  return [{ subject, status: "warning", message }];
};
