import { randomBytes } from "node:crypto";
import { z } from "zod";
import { ServerOptionsError } from "./server-options-error.ts";

const MIB = 2 ** 20;
const count = z.int().positive();

const SERVER_OPTIONS = z.strictObject({
  dir: z.string().min(1).default("./thoughtflow").describe("The flow directory."),
  host: z.string().min(1).default("127.0.0.1").describe("The address to listen on."),
  port: z.int().min(0).max(65_535).default(4318).describe("0: any that is free."),
  allowRemote: z
    .boolean()
    .default(false)
    .describe("Listen on an address that other machines reach. Needs a token."),
  token: z
    .string()
    .regex(/^[\w.~+/-]{16,}=*$/, "16 or more letters, digits or -._~+/ are expected")
    .optional()
    .describe("Who shows it may read, and from elsewhere send. Default: a new one at each start."),
  allowedHosts: z
    .array(z.string().min(1))
    .default([])
    .describe("Names besides those of loopback under which requests may come."),
  maxBodyBytes: count
    .max(64 * MIB)
    .default(16 * MIB)
    .describe("Of a request, decompressed."),
  maxRatio: count.default(200).describe("Times that a compressed body may grow."),
  maxSpans: count.default(100_000).describe("In a request."),
  maxRequests: count.default(64).describe("At the same time; others get 429."),
  maxWaitingBytes: count
    .default(64 * MIB)
    .describe("Of requests at the same time; others get 429."),
  maxConnections: count.default(256),
  maxViewers: count.default(32).describe("Listeners to events at the same time."),
  headersTimeoutMs: count.default(10_000),
  requestTimeoutMs: count.default(30_000).describe("For a whole request to arrive."),
  maxDiskBytes: z
    .number()
    .positive()
    .default(10 * 2 ** 30)
    .describe("The oldest sessions of ended processes go beyond it."),
});

/** What a server may be told; all have defaults. */
export type ServerOptions = z.input<typeof SERVER_OPTIONS>;
/** Everything that a server goes by. */
export type ServerConfig = Readonly<Omit<z.output<typeof SERVER_OPTIONS>, "token">> & {
  readonly token: string;
};

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
    const problems = parsed.error.issues.map(({ path, message }) => {
      const name = path.join(".");
      const [first] = path;
      const value = typeof first === "string" && first !== "token" ? options[first] : undefined;
      const shown = value === undefined ? "" : `${name} ${JSON.stringify(value)}: `;
      return `${shown || (name && `${name}: `)}${message}`;
    });
    throw new ServerOptionsError(problems.join("\n"));
  }
  const { token, ...rest } = parsed.data;
  if (!isLoopback(rest.host) && !(rest.allowRemote && token !== undefined)) {
    throw new ServerOptionsError(
      `host ${JSON.stringify(rest.host)}: others reach it there; that needs allowRemote and a token`,
    );
  }
  return { ...rest, token: token ?? randomBytes(32).toString("base64url") };
}

/** Whether only this machine reaches an address, or is meant by a name. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}
