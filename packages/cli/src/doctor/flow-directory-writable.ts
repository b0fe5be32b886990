import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Examination } from "./finding.ts";

/** Tries to write into the flow directory, or where it would be made, and takes everything away again. */
export const examineFlowDirectory: Examination = async (_io, dir) => {
  const subject = "flow directory";
  const place = await nearestDirectory(dir);
  try {
    const trial = await mkdtemp(join(place, ".thoughtflow-doctor-"));
    await writeFile(join(trial, "trial"), "written by thoughtflow doctor");
    await rm(trial, { recursive: true });
    const message =
      place === dir ? `${dir} can be written` : `${dir} isn't there yet, and can be made`;
    return [{ subject, status: "ok", message }];
  } catch (error) {
    const message = `${dir} can't be written: ${(error as Error).message}`;
    return [{ subject, status: "failure", message }];
  }
};

/** The directory itself, else the nearest one above that is there. */
async function nearestDirectory(path: string): Promise<string> {
  const isThere = await stat(path).then(
    () => true,
    () => false,
  );
  return isThere || path === dirname(path) ? path : await nearestDirectory(dirname(path));
}
