import { randomBytes } from "node:crypto";
import { z } from "zod";
import { ServerOptionsError } from "./server-options-error.ts";

const MIB = 2 ** 20;

/** A whole number; a wrong one is told which are allowed. */
function wholeNumber(from: number, to: number = Number.MAX_SAFE_INTEGER) {
  const range = to === Number.MAX_SAFE_INTEGER ? `from ${from} on` : `from ${from} to ${to}`;
  const expected = `a whole number ${range} is expected`;
  return z.int(expected).min(from, expected).max(to, expected);
}

function text(what: string) {
  const expected = `${what} is expected`;
  return z.string(expected).min(1, expected);
}

const count = wholeNumber(1);
const yesOrNo = z.boolean("true or false is expected");
const HOSTS = "a list of host names is expected";
const TOKEN = "16 or more letters, digits or -._~+/ are expected";
const BYTES = "a number of bytes above 0 is expected";

/** Everything that a server goes by. */
export interface ServerConfig {
  /** The flow directory. Default `./thoughtflow`. */
  readonly dir: string;
  /** The address to listen on. Default 127.0.0.1. */
  readonly host: string;
  /** Default 4318; 0: any that is free. */
  readonly port: number;
  /** Listen on an address that other machines reach; needs a token. Default false. */
  readonly allowRemote: boolean;
  /** Who shows it may read, and from elsewhere send. Default: a new one at each start. */
  readonly token: string;
  /** Names besides those of loopback under which requests may come. Default none. */
  readonly allowedHosts: readonly string[];
  /** Mask what looks like a key or token in what comes, before it is kept. Default false: its process, or a Collector, does. */
  readonly redact: boolean;
  /** Processes that share the port and the flow directory, for more than one core. Default 1. */
  readonly workers: number;
  /** Of a request, decompressed. Default 16 MiB, at most 64. */
  readonly maxBodyBytes: number;
  /** Times that a compressed body may grow beyond a quarter of `maxBodyBytes`. Default 200. */
  readonly maxRatio: number;
  /** In a request. Default 100,000. */
  readonly maxSpans: number;
  /** Requests at the same time; others get 429. Default 64. */
  readonly maxRequests: number;
  /** Bytes of requests at the same time; others get 429. Default 32 MiB. */
  readonly maxWaitingBytes: number;
  /** Default 256. */
  readonly maxConnections: number;
  /** Listeners to events at the same time. Default 32. */
  readonly maxViewers: number;
  /** For the head of a request to arrive. Default 10,000. */
  readonly headersTimeoutMs: number;
  /** For a whole request to arrive. Default 30,000. */
  readonly requestTimeoutMs: number;
  /** Of the flow directory: beyond, the oldest sessions of ended processes go. Default 10 GiB. */
  readonly maxDiskBytes: number;
}

/** What a server may be told; all have defaults. */
export type ServerOptions = Partial<ServerConfig>;

const SERVER_OPTIONS = z.strictObject(
  {
    dir: text("a path").default("./thoughtflow"),
    host: text("an address").default("127.0.0.1"),
    port: wholeNumber(0, 65_535).default(4318),
    allowRemote: yesOrNo.default(false),
    token: z
      .string(TOKEN)
      .regex(/^[\w.~+/-]{16,}=*$/, TOKEN)
      .default(() => randomBytes(32).toString("base64url")),
    allowedHosts: z.array(z.string(HOSTS).min(1, HOSTS), HOSTS).default([]),
    redact: yesOrNo.default(false),
    workers: wholeNumber(1, 64).default(1),
    maxBodyBytes: wholeNumber(1, 64 * MIB).default(16 * MIB),
    maxRatio: count.default(200),
    maxSpans: count.default(100_000),
    maxRequests: count.default(64),
    maxWaitingBytes: count.default(32 * MIB),
    maxConnections: count.default(256),
    maxViewers: count.default(32),
    headersTimeoutMs: count.default(10_000),
    requestTimeoutMs: count.default(30_000),
    maxDiskBytes: z
      .number(BYTES)
      .positive(BYTES)
      .default(10 * 2 ** 30),
  },
  { error: unknownOptions },
) satisfies z.ZodType<ServerConfig>;

function unknownOptions(issue: {
  readonly code: string;
  readonly keys?: readonly string[];
}): string {
  const names = (issue.keys ?? []).map((name) => JSON.stringify(name)).join(", ");
  return names === "" ? "an object is expected" : `${names}: no such setting`;
}

/** Of all options, as they stand in a file. */
export const SERVER_OPTION_NAMES: readonly string[] = Object.keys(SERVER_OPTIONS.shape);

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i;

/**
 * Fills in what is not given.
 *
 * @throws ServerOptionsError for what it doesn't know, or what would leave the server open to others
 */
export function resolveServerOptions(options: Readonly<Record<string, unknown>>): ServerConfig {
  const parsed = SERVER_OPTIONS.safeParse(options);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path: [name], message }) => {
      if (name === undefined) return message;
      const value = name === "token" ? undefined : options[String(name)];
      const shown = value === undefined ? "" : ` ${JSON.stringify(value)}`;
      return `${String(name)}${shown}: ${message}`;
    });
    throw new ServerOptionsError([...new Set(problems)].join("\n"));
  }
  const { host, allowRemote } = parsed.data;
  if (!isLoopback(host) && !(allowRemote && options["token"] !== undefined)) {
    throw new ServerOptionsError(
      `host ${JSON.stringify(host)}: others reach it there; that needs allowRemote and a token`,
    );
  }
  return parsed.data;
}

/** Whether only this machine reaches an address, or is meant by a name. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}
