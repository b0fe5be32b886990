export type { Dialect, DialectAttributes, StreamFold } from "./dialect.ts";
export { structureOf } from "./message-structure.ts";
export { openaiChat } from "./openai-chat.ts";
export { openaiCompletions } from "./openai-completions.ts";
export { openaiEmbeddings } from "./openai-embeddings.ts";
export { openaiResponses } from "./openai-responses.ts";
export type { Provider } from "./provider.ts";
export { providerOf } from "./provider.ts";
