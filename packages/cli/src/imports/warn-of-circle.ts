import type { ImportReport } from "./import-format.ts";

/** Says that sessions which are each other's sub-agents have none above them: the first that was read stands there. */
export function warnOfCircle(sessionId: string, report: ImportReport): void {
  report.warn(
    `${sessionId}: who asked for it leads in a circle back to it; it is no sub-agent here`,
  );
}
