export type { Exchange } from "./exchange.ts";
export { toExchange } from "./exchange.ts";
export type {
  FailEachCallOptions,
  FaultyFileSystem,
  FaultyFileSystemOptions,
  FileSystemCall,
} from "./faulty-file-system.ts";
export { createFaultyFileSystem, failEachCall } from "./faulty-file-system.ts";
export { listRecordings } from "./list-recordings.ts";
export type { RecordedExchange } from "./load-exchanges.ts";
export { exchangesFrom, loadExchanges } from "./load-exchanges.ts";
export type {
  DeliveredSpan,
  OtlpAnswer,
  OtlpReceiver,
  OtlpReceiverOptions,
} from "./otlp-receiver.ts";
export { createOtlpReceiver } from "./otlp-receiver.ts";
export { createRandom } from "./random.ts";
export type { Fault, ReceivedRequest, ReplayServer, ReplayServerOptions } from "./replay-server.ts";
export { createReplayServer } from "./replay-server.ts";
