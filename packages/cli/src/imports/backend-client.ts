import { constants } from "node:buffer";
import { CommandError } from "../command-error.ts";
import { ExitCode } from "../exit-code.ts";
import { type HttpAnswer, httpAnswer } from "../http-answer.ts";

/** Which traces of a backend are wanted: one of these. */
export interface TraceChoice {
  /** Hex digits. */
  readonly trace?: string;
  /** A value of `session.id`. */
  readonly session?: string;
  /** In the backend's own language: TraceQL. */
  readonly query?: string;
  /** How many traces at most. */
  readonly limit: number;
}

/** Asks a backend over HTTP. */
export interface BackendClient {
  /** The body of an answer; `undefined` for 404. Throws a `CommandError` for every other answer, naming address and status. */
  get(path: string, parameters?: Readonly<Record<string, string>>): Promise<string | undefined>;
}

const TIMEOUT_MS = 60_000;
/** Of an answer that says what is wrong. */
const SHOWN = 200;

/** A client of the backend at `url`; `more` are headers that it wants. */
export function createBackendClient(
  url: URL,
  more: Readonly<Record<string, string>>,
): BackendClient {
  const base = url.href.replace(/\/$/, "");
  return {
    async get(path, parameters = {}) {
      const address = new URL(base + path);
      for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
      const { status, text } = await answerOf(address, { accept: "application/json", ...more });
      if (status === 404) return undefined;
      if (status >= 200 && status < 300) return text;
      const said = text.trim().slice(0, SHOWN);
      throw new CommandError(
        `${shown(address)} answered ${status}${said && `: ${said}`}`,
        exitCodeForStatus(status),
      );
    },
  };
}

async function answerOf(
  address: URL,
  headers: Readonly<Record<string, string>>,
): Promise<HttpAnswer> {
  try {
    return await httpAnswer(address, {
      headers,
      timeoutMillis: TIMEOUT_MS,
      mostBytes: constants.MAX_STRING_LENGTH,
    });
  } catch (error) {
    throw new CommandError(
      `${address.origin} can't be reached: ${(error as Error).message}`,
      ExitCode.network,
    );
  }
}

/** Statuses of a backend, or of what stands before it, that may be there again later. */
const AWAY: ReadonlySet<number> = new Set([429, 502, 503, 504]);

function exitCodeForStatus(status: number): number {
  if (status === 401 || status === 403) return ExitCode.authentication;
  return AWAY.has(status) ? ExitCode.network : ExitCode.failure;
}

/** Without a password. */
function shown({ origin, pathname, search }: URL): string {
  return origin + pathname + search;
}
