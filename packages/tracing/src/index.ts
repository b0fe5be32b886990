// Content: what travels beside a span, and its text
export type { ModelCallContent, SpanContent, ValuesContent } from "./content.ts";
export { attachContent, contentOf } from "./content.ts";
export { contentAttributesOf } from "./content-attributes.ts";
// Context: which session and run a span belongs to
export type { RunScope, SessionScope } from "./flow-context.ts";
export { runOf, sessionOf } from "./flow-context.ts";
export type { MaterialisedMessage } from "./materialise.ts";
export { inputMessagesOf, outputMessagesOf } from "./materialise.ts";
export { currentRedactor, setRedactor } from "./redaction.ts";
