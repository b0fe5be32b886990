import { installedCopies } from "../installed-package.ts";
import type { Examination } from "./finding.ts";

const OLDEST_TESTED = 4;
const NEWEST_TESTED = 7;

/** Which openai packages an app in this directory may load. */
export const examineOpenai: Examination = async ({ cwd }) => {
  const subject = "openai";
  const copies = installedCopies("openai", cwd);
  if (copies.length === 0) {
    const message = "not installed here; run this where your app is, or: npm install openai";
    return [{ subject, status: "warning", message }];
  }
  return copies.map(({ version, directory }) => {
    const major = Number.parseInt(version, 10);
    const isTested = major >= OLDEST_TESTED && major <= NEWEST_TESTED;
    const remark = isTested ? "" : "; never tested with this version, what it has is still traced";
    return {
      subject,
      status: isTested ? "ok" : "warning",
      message: `${version} in ${directory}${remark}`,
    };
  });
};
