export type { FlowServer, FlowServerAddress, FlowServerHooks } from "./flow-server.ts";
export { addressOf, createFlowServer } from "./flow-server.ts";
export type { ServerConfig, ServerOptions } from "./server-options.ts";
export { resolveServerOptions, SERVER_OPTION_NAMES } from "./server-options.ts";
export { ServerOptionsError } from "./server-options-error.ts";
export type { WorkDone, WorkerProcesses } from "./worker-processes.ts";
export { isWorkerProcess, leaveWorkers, startWorkerProcesses } from "./worker-processes.ts";
