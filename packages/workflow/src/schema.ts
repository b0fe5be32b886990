// The workflow document as zod schemas and as JSON Schema
export { Workflow, workflowJsonSchema } from "./workflow-document.ts";
