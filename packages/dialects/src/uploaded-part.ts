import type { GenAiPart } from "@thoughtflow/semconv";
import { numberOf, present, propertiesOf, textOf } from "./unknown-values.ts";

/**
 * A file that the caller sends along: a `File`, a read stream, a response, a tuple of the SDK's own. Its bytes are
 * not looked at; only what it says of itself is told.
 */
export function uploadedPart(modality: string, value: unknown): GenAiPart | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const file = propertiesOf(value);
  const path = textOf(file["path"]);
  return {
    type: "uploaded_file",
    modality,
    ...present<string | number>({
      filename:
        textOf(file["name"]) ??
        path?.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1),
      mime_type: textOf(file["type"]),
      bytes: numberOf(file["size"]),
    }),
  };
}
