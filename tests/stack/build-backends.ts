import { goBinary, JAEGER, TEMPO } from "./go-binary.ts";

/** Runs once before all stack tests, so that no test's time limit holds a build, and no two build at once. */
export function setup(): void {
  goBinary(JAEGER);
  goBinary(TEMPO);
}
