import type { ChildProcess } from "node:child_process";
import { encodeProtobufRequest, spansOfRecords } from "@thoughtflow/otlp";
import type { SpanRecord } from "@thoughtflow/schema";
import { startCli } from "./spawned-cli.ts";

/** A `thoughtflow serve` in a process of its own. */
export interface Served {
  readonly child: ChildProcess;
  /** Where it takes spans. */
  readonly url: string;
  /** What it has written to its standard error. */
  said(): string;
}

/**
 * Starts it on a free port, with further options, and waits until it listens.
 *
 * @param children Gets its process at once: whoever started it ends it.
 */
export async function startServing(
  options: readonly string[],
  cwd: string,
  children: Set<ChildProcess>,
): Promise<Served> {
  const child = startCli(["serve", "--port", "0", ...options], cwd);
  children.add(child);
  let said = "";
  child.stderr?.on("data", (piece) => {
    said += piece;
  });
  const url = await new Promise<string>((resolve, reject) => {
    let out = "";
    child.stdout?.on("data", (piece) => {
      out += piece;
      const found = /OTLP\/HTTP at ([^\s,]+)[\s,]/.exec(out)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once("exit", () => reject(new Error(`serve ended: ${said}`)));
  });
  return { child, url, said: () => said };
}

/** Sends these records as spans: the answer's status; 0 where there is none. */
export async function send(url: string, records: readonly SpanRecord[]): Promise<number> {
  const body = Buffer.from(encodeProtobufRequest(spansOfRecords(records)));
  const headers = { "Content-Type": "application/x-protobuf" };
  return await fetch(url, { method: "POST", headers, body }).then(
    ({ status }) => status,
    () => 0,
  );
}
