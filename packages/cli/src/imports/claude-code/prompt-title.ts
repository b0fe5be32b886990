import { titleFrom } from "@thoughtflow/thoughts";

const COMMAND = /<command-name>([^<]*)<\/command-name>/;
const COMMAND_ARGUMENTS = /<command-args>([^<]+)<\/command-args>/;

/** What a session may be called after a prompt: after its words, or after the command that stands for them. */
export function titleOfPrompt(text: string): string | undefined {
  const command = COMMAND.exec(text)?.[1];
  if (command === undefined) return text.startsWith("<") ? undefined : titleFrom(text) || undefined;
  const args = COMMAND_ARGUMENTS.exec(text)?.[1] ?? "";
  return IDLE_COMMANDS.has(command) ? undefined : titleFrom(`${command} ${args}`) || undefined;
}

/** Commands that ask the model for nothing. */
const IDLE_COMMANDS: ReadonlySet<string> = new Set([
  "/clear",
  "/config",
  "/cost",
  "/exit",
  "/ide",
  "/login",
  "/mcp",
  "/model",
  "/resume",
]);
