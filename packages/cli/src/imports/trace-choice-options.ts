import type { CommandArguments, CommandOption } from "../command.ts";
import { badArguments } from "../command-error.ts";
import type { TraceChoice } from "./backend-client.ts";

const DEFAULT_LIMIT = 100;

/** Which traces of a backend are wanted, on the command line. */
export const CHOICE_OPTIONS: Readonly<Record<string, CommandOption>> = {
  trace: { value: "ID", summary: "of a backend: the trace with this id" },
  session: { value: "ID", summary: "of a backend: the traces of this session.id" },
  query: {
    value: "Q",
    summary: `of a backend: what its own search finds; Tempo: TraceQL, Jaeger: tags as {"name":"value"}`,
  },
  limit: { value: "N", summary: `of a backend: so many traces at most; default ${DEFAULT_LIMIT}` },
  header: { value: "H", summary: `for a backend: one more header, "Authorization: Bearer …"` },
};

/** Exactly one of trace, session and query. */
export function choiceOf(args: CommandArguments): TraceChoice {
  const given = (["trace", "session", "query"] as const).flatMap((name) => {
    const value = args.text(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  if (given.length !== 1)
    throw badArguments("From a backend one of --trace, --session or --query is wanted.");
  const text = args.text("limit");
  const limit = text === undefined ? DEFAULT_LIMIT : Number(text);
  if (!Number.isSafeInteger(limit) || limit < 1)
    throw badArguments(`--limit takes a number of traces, not "${text}".`);
  return { ...Object.fromEntries(given), limit };
}

/** The address of a backend. */
export function addressOf(word: string): URL {
  try {
    return new URL(word);
  } catch {
    throw badArguments(`"${word}" is no address of a backend.`);
  }
}
