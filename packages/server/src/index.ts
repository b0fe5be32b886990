export type { FlowServer, FlowServerAddress, FlowServerHooks } from "./flow-server.ts";
export { createFlowServer } from "./flow-server.ts";
export type { ServerConfig, ServerOptions } from "./server-options.ts";
export { resolveServerOptions, SERVER_OPTION_NAMES } from "./server-options.ts";
export { ServerOptionsError } from "./server-options-error.ts";
