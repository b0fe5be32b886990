import { optionCheck } from "./checks.ts";
import type { Dependency } from "./dependency.ts";
import type { StepHandle } from "./handles.ts";
import { recordStep } from "./step.ts";

/** One thing remembered. */
export interface MemoryWriteOptions {
  readonly key: string;
  readonly value: unknown;
  /** The tool or store that keeps it, such as `tool.mem_add`. */
  readonly name?: string;
  /** Unique inside the run; default `s_<span id>`. */
  readonly id?: string;
  readonly dependsOn?: Dependency | readonly Dependency[];
}

const checkMemoryWrite = optionCheck("memoryWrite", { key: "id" }, ["key"]);

/**
 * Records that the agent wrote something to its memory. A write that takes time is a `withStep` with the label
 * `memory_write`, a look-up one with `memory_read`.
 *
 * @throws TypeError when an option has the wrong type.
 */
export function memoryWrite(options: MemoryWriteOptions): StepHandle {
  checkMemoryWrite(options);
  const { key, value, ...rest } = options;
  return recordStep({ ...rest, label: "memory_write", input: { key, value } });
}
