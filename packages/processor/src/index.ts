export type { ThoughtFlowSpanProcessorOptions } from "./thoughtflow-span-processor.ts";
export { ThoughtFlowSpanProcessor } from "./thoughtflow-span-processor.ts";
