export type { ModelCallContent, SpanContent, ValuesContent } from "./content.ts";
export { attachContent, contentOf } from "./content.ts";
