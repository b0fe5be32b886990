// The corpus of bad inputs
export { badAnswers } from "./bad-inputs/bad-answers.ts";
export { badCarriers } from "./bad-inputs/bad-carriers.ts";
export { badDeclarations, badStepAttributes } from "./bad-inputs/bad-declarations.ts";
export type { DirectoryEntry } from "./bad-inputs/bad-directory-entries.ts";
export { badDirectoryEntries } from "./bad-inputs/bad-directory-entries.ts";
export { badDocuments } from "./bad-inputs/bad-documents.ts";
export { badIdentifiers } from "./bad-inputs/bad-identifiers.ts";
export type { BadInput } from "./bad-inputs/bad-input.ts";
export type { BadInputCorpus, Sink } from "./bad-inputs/bad-input-corpora.ts";
export { badInputCorpora } from "./bad-inputs/bad-input-corpora.ts";
export type { AnyTracing } from "./bad-inputs/bad-programs.ts";
export { badPrograms, badReadableSpans } from "./bad-inputs/bad-programs.ts";
export {
  badAdaptationEdits,
  badDownloadNames,
  badHosts,
  badOrigins,
  badOtlpRequests,
  badPatterns,
  badQueries,
  badRanges,
  badRawRequests,
  badRequestTargets,
} from "./bad-inputs/bad-requests.ts";
export { badSpans } from "./bad-inputs/bad-spans.ts";
export { badEnvironments } from "./bad-inputs/bad-surroundings.ts";
export { badTexts } from "./bad-inputs/bad-texts.ts";
export { badValues } from "./bad-inputs/bad-values.ts";
// Faults, servers, recordings
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
