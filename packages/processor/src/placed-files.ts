import { join } from "node:path";
import type { FileSystem, WriteResult } from "@thoughtflow/journal";
import { PictureError } from "./picture-error.ts";
import type { SessionFile } from "./session-files.ts";

/** What became of the files of a session that were put in their places: only pictures may be missing. */
export interface PlacedFiles {
  /** How many bytes were written; throws what the file system said where none were, but of a picture. */
  bytesOf(file: Pick<SessionFile, "name" | "isPicture">, result: WriteResult): number;
  /** Throws a `PictureError` where a picture is missing. */
  end(): void;
}

export function createPlacedFiles(dir: string, fs: FileSystem): PlacedFiles {
  const missing = new Map<string, PictureError>();

  /** None is better than one of an older document: who takes the session over sees that it is missing. */
  function remove(name: string): void {
    try {
      fs.unlinkSync(join(dir, name));
    } catch {
      // It is told already that it could not be written.
    }
  }

  return {
    bytesOf({ name, isPicture }, result) {
      if (result.written) {
        missing.delete(name);
        return result.bytes;
      }
      if (!isPicture) throw new Error(result.code);
      missing.set(name, new PictureError(name, result.code));
      if (result.code !== "ESTALE") remove(name);
      return 0;
    },
    end() {
      for (const problem of missing.values()) throw problem;
    },
  };
}
