export { agree } from "./agree.ts";
export { anyMessages } from "./spans/any-message.ts";
export { isSpan, sessionNamedIn } from "./spans/flow-record.ts";
export { messagesIn } from "./spans/messages-in.ts";
export {
  createNeutralSpan,
  givesWay,
  isImportedSpan,
  isOwnSpan,
  neutralSpan,
  type SessionTeller,
  tellerOf,
} from "./spans/neutral-span.ts";
export { createReadNames } from "./spans/read-names.ts";
export {
  isConversationId,
  isSessionNameOfDialect,
  LAST_SESSION_NAME,
  neutralSessionIdOf,
  SESSION_NAMES,
  sessionIdOf,
} from "./spans/session-id.ts";
export type { KindRow, SpanDialect, SpanRow } from "./spans/span-dialect.ts";
export { SPAN_DIALECTS } from "./spans/span-dialects.ts";
export { isAgentAttribute } from "./spans/spoken-dialects.ts";
export { toolDefinitions } from "./spans/tool-definitions.ts";
export { withoutContent } from "./spans/without-content.ts";
