export type { RedactorOptions } from "./redaction-config.ts";
export type { Redactor } from "./redactor.ts";
export { createRedactor, defaultRedactor } from "./redactor.ts";
