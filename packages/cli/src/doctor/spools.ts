import { join } from "node:path";
import { listSpools } from "@thoughtflow/journal";
import type { Examination } from "./finding.ts";

const subject = "unsent spans";

/** What OTLP receivers have not taken yet. */
export const examineSpools: Examination = async (_io, dir) => {
  const spools = listSpools(join(dir, ".spool"));
  if (spools.length === 0) return [{ subject, status: "ok", message: "none wait to be sent" }];
  return spools.map(({ path, spans, bytes, oldest }) => ({
    subject,
    status: "warning",
    message: `${spans} (${Math.ceil(bytes / 1024)} KiB) wait in ${path} since ${new Date(oldest).toISOString()}: the next process with the same endpoint and headers sends them, within a day`,
  }));
};
