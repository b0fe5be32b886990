import { jaegerBinary } from "./jaeger-binary.ts";

/** Runs once before all stack tests, so that no test's time limit holds the build, and no two build at once. */
export function setup(): void {
  jaegerBinary();
}
