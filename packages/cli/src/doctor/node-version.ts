import type { Examination } from "./finding.ts";

/** Node 20.19 is the oldest that works; before 22.15 module hooks cost more at start. */
export const examineNode: Examination = async () => {
  const { node } = process.versions;
  const [major = 0, minor = 0] = node.split(".").map(Number);
  const isOlderThan = (thanMajor: number, thanMinor: number) =>
    major < thanMajor || (major === thanMajor && minor < thanMinor);
  const subject = "Node";
  if (isOlderThan(20, 19)) {
    return [{ subject, status: "failure", message: `${node}; ThoughtFlow needs 20.19 or newer.` }];
  }
  const slower = isOlderThan(22, 15) ? "; apps start a little slower than from 22.15 on" : "";
  return [{ subject, status: "ok", message: `${node}${slower}` }];
};
