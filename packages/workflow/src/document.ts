// Who talked to whom: the workflow document of sessions. Without zod, which `@thoughtflow/workflow/schema` has.
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
export { type WorkflowOptions, workflowOfSessions } from "./workflow-of-sessions.ts";
