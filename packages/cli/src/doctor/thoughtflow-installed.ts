import { installedCopies } from "../installed-package.ts";
import type { Examination } from "./finding.ts";

const HOOK = "@thoughtflow/node";

/** Whether the app here can load the hook by which it is seen. */
export const examineThoughtFlow: Examination = async ({ cwd }) => {
  const copies = installedCopies(HOOK, cwd);
  if (copies.length === 0) {
    const message = `not installed here; \`thoughtflow run\` brings its own, else: npm install ${HOOK}`;
    return [{ subject: HOOK, status: "warning", message }];
  }
  return copies.map(({ version, directory }) => ({
    subject: HOOK,
    status: "ok",
    message: `${version} in ${directory}`,
  }));
};
