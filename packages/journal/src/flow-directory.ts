import { join } from "node:path";
import { errorCodeOf, type FileSystem } from "./file-system.ts";
import { makeDirectory } from "./make-directory.ts";
import { openNewFile } from "./new-file.ts";

/** A flow directory as one process knows it. */
export interface FlowDirectory {
  readonly path: string;
  /**
   * Path of the directory, or of a folder in it, which is made where it is missing, for the user alone. Throws when
   * somebody has put another directory in its place since it was first used, or a link in place of the folder:
   * nothing is written through those.
   */
  make(folder?: string): string;
}

/** The directory may itself be reached through links; where they lead must not change. */
export function createFlowDirectory(path: string, fs: FileSystem): FlowDirectory {
  /** Where it really is, once it was used. */
  let place: string | undefined;

  function makeRoot(): void {
    const isNew = makeDirectory(path, fs);
    const now = fs.realpathSync(path);
    if (place === undefined || isNew) hideFromGit();
    place ??= now;
    if (now !== place) throw replaced(`${path} has become a link to ${now}`);
  }

  function hideFromGit(): void {
    try {
      const fd = openNewFile(join(path, ".gitignore"), fs);
      try {
        fs.writeSync(fd, "*\n");
      } finally {
        fs.closeSync(fd);
      }
    } catch (error) {
      if (errorCodeOf(error) !== "EEXIST") throw error;
    }
  }

  return {
    path,
    make(folder = "") {
      makeRoot();
      if (folder === "") return path;
      const inside = join(path, folder);
      makeDirectory(inside, fs);
      if (!fs.lstatSync(inside).isDirectory()) throw replaced(`${inside} is no directory`);
      return inside;
    },
  };
}

function replaced(message: string): Error {
  return Object.assign(new Error(message), { code: "ENOTDIR" });
}
