import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

/** Where an installed version of openai lies, by its name among the dependencies. */
export const directoryOf = (name: string): string =>
  dirname(fileURLToPath(import.meta.resolve(name)));
