import { COLLECTOR, goBinary, JAEGER, TEMPO } from "./go-binary.ts";
import { kafkaLibraries } from "./kafka.ts";
import { KUBERNETES_VALIDATE, PHOENIX, PYTHON_WITH_OTEL, pythonProgram } from "./python-program.ts";

/** Runs once before all stack tests, so that no test's time limit holds a build, and no two build at once. */
export function setup(): void {
  for (const program of [JAEGER, TEMPO, COLLECTOR]) goBinary(program);
  for (const program of [PHOENIX, KUBERNETES_VALIDATE, PYTHON_WITH_OTEL]) pythonProgram(program);
  kafkaLibraries();
}
