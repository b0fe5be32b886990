const warned = new Set<string>();

/** Says once for each directory, and loudly, that it can't be written; what follows is counted. */
export function warnOnce(dir: string, problem: unknown): void {
  if (warned.has(dir)) return;
  warned.add(dir);
  const reason = problem instanceof Error ? problem.message : String(problem);
  process.emitWarning(`the flow directory ${dir} could not be written: ${reason}`, {
    type: "ThoughtFlowWarning",
    code: "THOUGHTFLOW_DIRECTORY",
  });
}
