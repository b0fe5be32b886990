import type { Command, CommandEntry } from "./command.ts";
import { COMMON_OPTIONS } from "./parse-command-line.ts";

/** What `thoughtflow --help` prints. */
export function helpText(commands: readonly CommandEntry[]): string {
  const rows = commands.map(({ name, summary }): [string, string] => [name, summary]);
  return `ThoughtFlow shows how an AI agent came to its answer.

Usage: thoughtflow <command> [options]

${table(rows)}

Every command explains itself: thoughtflow <command> --help
Data goes to stdout, messages to stderr. Nothing is sent anywhere, unless you set an OTLP endpoint.

Exit codes: 0 ok, 1 failure, 2 cancelled, 3 bad arguments, 4 authentication, 5 network,
            6 ran, but what it was to show did not happen
`;
}

/** What `thoughtflow <command> --help` prints. */
export function commandHelpText(
  { name, summary }: CommandEntry,
  { operands, words = {}, options }: Command,
): string {
  const explained = Object.entries(words).map(([word, { summary: says }]) => [word, says] as const);
  const rows = Object.entries({ ...options, ...COMMON_OPTIONS }).map(
    ([option, { short, value, choices, summary: says }]): [string, string] => [
      `${short === undefined ? "    " : `-${short}, `}--${option}${value === undefined ? "" : ` ${value}`}`,
      choices === undefined ? says : `${choices.join(" | ")}: ${says}`,
    ],
  );
  const usage = ["thoughtflow", name, "[options]", operands].filter((word) => word !== "");
  return `${summary[0]?.toUpperCase()}${summary.slice(1)}.

Usage: ${usage.join(" ")}

${explained.length === 0 ? "" : `${table(explained)}\n\n`}${table(rows)}
`;
}

function table(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join("\n");
}
