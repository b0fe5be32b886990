import { COLLECTOR, goBinary, JAEGER, TEMPO } from "./go-binary.ts";
import { phoenixProgram } from "./phoenix.ts";

/** Runs once before all stack tests, so that no test's time limit holds a build, and no two build at once. */
export function setup(): void {
  for (const program of [JAEGER, TEMPO, COLLECTOR]) goBinary(program);
  phoenixProgram();
}
