type Environment = Readonly<Record<string, string | undefined>>;

/** As npm quotes the command, by version and platform. */
const ONLY_THIS_COMMAND = /^(["']?)thoughtflow\1$/;

/** Whether npm put a shell around this command and nothing else: `npx thoughtflow`. */
export function isAloneInNpx({
  npm_lifecycle_event: event,
  npm_lifecycle_script: script,
}: Environment): boolean {
  return event === "npx" && ONLY_THIS_COMMAND.test(script ?? "");
}

/** The environment for a program that is started here: npm put no shell around what that starts in turn. */
export function environmentBelow(env: Environment): Environment {
  if (!isAloneInNpx(env)) return env;
  const { npm_lifecycle_event: _, npm_lifecycle_script: __, ...rest } = env;
  return rest;
}
