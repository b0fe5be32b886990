import { z } from "zod";
import { Session } from "./document.ts";

/** The document as JSON Schema, draft 2020-12: what `thoughtflow.schema.json` holds. */
export function sessionJsonSchema(): Readonly<Record<string, unknown>> {
  return { title: "ThoughtFlow session", ...z.toJSONSchema(Session, { io: "input" }) };
}
