// Who talked to whom: the workflow document of sessions. Without zod, which `@thoughtflow/workflow/schema` has.
export { lastMessageOf, type WorkflowCall } from "./workflow-calls.ts";
export { dagOfSessions } from "./workflow-dag.ts";
export type {
  AgentNode,
  ContentEntity,
  MessageEntity,
  RequestEdge,
  RequestEntity,
  RequestNode,
  Workflow,
  WorkflowEdge,
} from "./workflow-document.ts";
export { contentOf } from "./workflow-entities.ts";
export { type WorkflowOptions, workflowOfSessions } from "./workflow-of-sessions.ts";
