import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A PostgreSQL of its own, on loopback. */
export interface PostgresServer {
  addressOf(database: string): string;
  /** An empty database, named; gives its address. */
  createDatabase(name: string): string;
  /** Takes it down, connections and all. */
  halt(): Promise<void>;
  /** Starts it again, at the same address with the same data. */
  resume(): Promise<void>;
  /** Takes it down for ever. */
  stop(): Promise<void>;
}

/** Where Debian and others put the server's programs. */
const FOLDERS = ["/usr/lib/postgresql", "/usr/pgsql"];

/** The folder of the newest installed server; undefined where there is none. */
export function postgresFolder(): string | undefined {
  const found = FOLDERS.flatMap((folder) =>
    existsSync(folder) ? readdirSync(folder).map((version) => join(folder, version, "bin")) : [],
  ).filter((folder) => existsSync(join(folder, "initdb")));
  return found.sort((a, b) => a.localeCompare(b, "en", { numeric: true })).at(-1);
}

/** As whom the server's programs run: it refuses to be root's. */
interface Ownership {
  readonly uid?: number;
  readonly gid?: number;
}

/**
 * Makes an empty database cluster in `dir`/data, whose user `flow` needs no password.
 *
 * @param bin the folder of the server's programs
 */
export function initPostgres(bin: string, dir: string, locale = "C.UTF-8"): Ownership {
  const user = process.getuid?.() === 0 ? idsOf("postgres") : undefined;
  if (user !== undefined) chownSync(dir, user.uid, user.gid);
  execFileSync(
    join(bin, "initdb"),
    [
      ...["-D", join(dir, "data"), "-U", "flow", "--auth=trust", "--no-sync"],
      ...["--encoding=UTF8", `--locale=${locale}`],
    ],
    { cwd: dir, ...user, stdio: "ignore" },
  );
  return { ...user };
}

/** Starts the system's PostgreSQL on a free port in a scratch directory, as a user that is not root. */
export async function startPostgres(): Promise<PostgresServer> {
  const folder = postgresFolder();
  if (folder === undefined)
    throw new Error("These tests need a PostgreSQL server: the Debian package postgresql.");
  const dir = mkdtempSync(join(tmpdir(), "postgres-"));
  const options = { cwd: dir, ...initPostgres(folder, dir) };
  const data = join(dir, "data");
  const port = await freePort();
  const run = (): Promise<ChildProcess> => runServer(folder, data, dir, port, options);
  let server = await run();
  const halt = async (): Promise<void> => {
    const gone = new Promise((resolve) => server.once("close", resolve));
    server.kill("SIGINT");
    await gone;
  };
  const addressOf = (database: string): string => `postgres://flow@127.0.0.1:${port}/${database}`;
  return {
    addressOf,
    createDatabase: (name) => {
      execFileSync(
        join(folder, "psql"),
        [
          "-h",
          "127.0.0.1",
          "-p",
          String(port),
          "-U",
          "flow",
          "-d",
          "postgres",
          "-c",
          `create database ${name}`,
        ],
        { stdio: "ignore" },
      );
      return addressOf(name);
    },
    halt,
    resume: async () => {
      server = await run();
    },
    stop: async () => {
      if (server.exitCode === null) await halt();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function runServer(
  folder: string,
  data: string,
  dir: string,
  port: number,
  options: Ownership & { readonly cwd: string },
): Promise<ChildProcess> {
  const server = spawn(
    join(folder, "postgres"),
    ["-D", data, "-k", dir, "-h", "127.0.0.1", "-p", String(port)],
    { ...options, stdio: ["ignore", "ignore", "pipe"] },
  );
  await new Promise<void>((resolve, reject) => {
    let said = "";
    server.stderr.on("data", (text) => {
      said += text;
      if (said.includes("ready to accept connections")) resolve();
    });
    server.once("exit", () => reject(new Error(`PostgreSQL ended: ${said}`)));
  });
  return server;
}

function idsOf(name: string): { readonly uid: number; readonly gid: number } {
  const id = (flag: string): number =>
    Number(execFileSync("id", [flag, name], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
