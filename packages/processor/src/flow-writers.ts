import { resolve } from "node:path";
import { createFlowWriter, type FlowWriter, type FlowWriterOptions } from "./flow-writer.ts";

const KEY: unique symbol = Symbol.for("thoughtflow.flow-writers.v1");

/**
 * The one writer of a flow directory in this process, also when the register hook and a processor of the app's
 * own, or two copies of this package, ask for it. The first to ask sets its options. What it holds is written
 * when the process exits.
 */
export function flowWriterFor(options: FlowWriterOptions): FlowWriter {
  const holder = globalThis as { [KEY]?: Map<string, FlowWriter> };
  holder[KEY] ??= writersUntilExit();
  const dir = resolve(options.dir);
  const known = holder[KEY].get(dir);
  if (known !== undefined) return known;
  const writer = createFlowWriter({ ...options, dir });
  holder[KEY].set(dir, writer);
  return writer;
}

function writersUntilExit(): Map<string, FlowWriter> {
  const writers = new Map<string, FlowWriter>();
  process.on("exit", () => {
    for (const writer of writers.values()) writer.flushSync("process_exit");
  });
  return writers;
}
