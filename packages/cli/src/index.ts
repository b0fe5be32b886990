export type { CommandIo } from "./command-io.ts";
export { ExitCode } from "./exit-code.ts";
export { thoughtflow } from "./thoughtflow.ts";
