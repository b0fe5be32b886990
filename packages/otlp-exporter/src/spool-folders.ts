import { createHash } from "node:crypto";
import type { OtlpDestination } from "./options.ts";

/**
 * The folders that lead from a flow directory to the spool of a destination. Whatever decides where a request arrives and what it looks like is part of
 * it, above all the headers: who shares a flow directory must not send another tenant's spans with his own credentials.
 */
export function spoolFolders({ url, headers, protocol }: OtlpDestination): readonly string[] {
  const identity = JSON.stringify([url, protocol, Object.entries(headers).sort()]);
  const digest = createHash("sha256").update(identity).digest("hex").slice(0, 16);
  const host = new URL(url).host.replaceAll(/[^a-z0-9-]+/g, "_").slice(0, 60);
  return [".spool", `${host}-${digest}`];
}
