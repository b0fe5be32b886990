import { openaiLog } from "../src/imports/openai-log/openai-log.ts";
import { proxyLog } from "../src/imports/proxy-log/proxy-log.ts";
import { anthropicLine, openaiLine } from "./logged-lines.ts";

/** The logs that hold requests of either API: name, format, and what makes a line of it. */
export const REQUEST_LOGS = [
  ["proxy-log", proxyLog, anthropicLine],
  ["openai-log", openaiLog, openaiLine],
] as const;
