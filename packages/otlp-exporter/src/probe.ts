import { REQUEST_FORMATS } from "@thoughtflow/otlp";
import { createHttpClient } from "./http-post.ts";
import { type OtlpExporterOptions, resolveOtlpExporterOptions } from "./options.ts";

/** What a receiver says to a request without spans. `status` 0: nothing came back, `reason` says why. */
export interface ProbeResult {
  readonly status: number;
  readonly reason?: string;
}

/** Asks a receiver for an answer as the exporter would, with a request that leaves nothing behind. Never rejects. */
export async function probeOtlp(
  options: OtlpExporterOptions,
  timeoutMillis: number,
): Promise<ProbeResult> {
  const config = resolveOtlpExporterOptions(options);
  const { encode, contentType } = REQUEST_FORMATS[config.protocol];
  const client = createHttpClient(config);
  // Holds the process until there is an answer or none, as neither socket nor deadline does.
  const patience = setInterval(() => {}, timeoutMillis);
  const { status, error } = await client.post(encode([]), contentType, timeoutMillis);
  clearInterval(patience);
  client.close();
  return { status, ...(error !== undefined && { reason: error.message }) };
}
