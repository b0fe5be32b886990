import { createHash } from "node:crypto";
import type { OtlpDestination } from "./options.ts";

/**
 * The folder of a destination in the spool. Whatever decides where a request arrives and what it looks like is part of
 * it, above all the headers: who shares a flow directory must not send another tenant's spans with his own credentials.
 */
export function spoolDestination({ url, headers, protocol }: OtlpDestination): string {
  const identity = JSON.stringify([url, protocol, Object.entries(headers).sort()]);
  const digest = createHash("sha256").update(identity).digest("hex").slice(0, 16);
  const host = new URL(url).host.replaceAll(/[^a-z0-9-]+/g, "_").slice(0, 60);
  return `${host}-${digest}`;
}
