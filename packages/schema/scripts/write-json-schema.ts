/** Writes `thoughtflow.schema.json` from the zod schemas: `pnpm --filter @thoughtflow/schema schema:write`. */
import { writeFileSync } from "node:fs";
import { sessionJsonSchema } from "../src/json-schema.ts";

const file = new URL("../thoughtflow.schema.json", import.meta.url);
writeFileSync(file, `${JSON.stringify(sessionJsonSchema(), null, 2)}\n`);
