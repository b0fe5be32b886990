export type { Redactor, RedactorOptions } from "./redactor.ts";
export { createRedactor, defaultRedactor } from "./redactor.ts";
