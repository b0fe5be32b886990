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
  /** The body of an answer; `undefined` for 404. Throws for every other answer, naming address and status. */
  get(path: string, parameters?: Readonly<Record<string, string>>): Promise<string | undefined>;
}

const TIMEOUT_MS = 60_000;
/** Of an answer that says what is wrong. */
const SHOWN = 200;

/** A client of the backend at `url`; `header` is one more header, as `Name: value`. */
export function createBackendClient(url: URL, header: string | undefined): BackendClient {
  const base = url.href.replace(/\/$/, "");
  return {
    async get(path, parameters = {}) {
      const address = new URL(base + path);
      for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
      const response = await answerOf(address, headersOf(header));
      if (response.status === 404) return undefined;
      const text = await response.text();
      if (response.ok) return text;
      const said = text.trim().slice(0, SHOWN);
      throw new Error(`${address.href} answered ${response.status}${said && `: ${said}`}`);
    },
  };
}

async function answerOf(address: URL, headers: Record<string, string>): Promise<Response> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    return await fetch(address, { headers, redirect: "error", signal });
  } catch (error) {
    const { message, cause } = error as Error;
    const reason = cause instanceof Error && cause.message ? cause.message : message;
    throw new Error(`${address.origin} can't be reached: ${reason}`);
  }
}

function headersOf(header: string | undefined): Record<string, string> {
  const [, name, value] = /^([\w-]+)\s*:\s*(.*)$/.exec(header ?? "") ?? [];
  return {
    accept: "application/json",
    ...(name !== undefined && value !== undefined && { [name]: value }),
  };
}
