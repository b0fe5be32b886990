/** The tools by which Claude Code starts sub-agents, over its versions. */
export const SPAWNING_TOOLS: ReadonlySet<string> = new Set(["Task", "Agent", "Workflow"]);
