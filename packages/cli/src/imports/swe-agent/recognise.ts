import { listOf, membersOf } from "../plain-values.ts";

/** A trajectory of SWE-agent, or a demonstration: a history of messages that name their agent, or the list of its actions. */
export function isTrajectory(value: unknown): boolean {
  const { trajectory, history } = membersOf(value);
  return (
    listOf(history).some((one) => {
      const message = membersOf(one);
      return typeof message["role"] === "string" && typeof message["agent"] === "string";
    }) ||
    listOf(trajectory).some((one) => {
      const step = membersOf(one);
      return typeof step["response"] === "string" && "observation" in step;
    })
  );
}
