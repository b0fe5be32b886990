/** Writes `thoughtflow-workflow.schema.json` from the zod schemas: `pnpm --filter @thoughtflow/workflow schema:write`. */
import { writeFileSync } from "node:fs";
import { workflowJsonSchema } from "../src/workflow-document.ts";

const file = new URL("../thoughtflow-workflow.schema.json", import.meta.url);
writeFileSync(file, `${JSON.stringify(workflowJsonSchema(), null, 2)}\n`);
