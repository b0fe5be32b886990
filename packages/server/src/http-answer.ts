import type { ServerResponse } from "node:http";
import { passOver } from "./request-body.ts";

/** What is said to a request. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** On every answer: what a browser may do with it is as little as can be. */
const ALWAYS: Readonly<Record<string, string>> = {
  "X-Content-Type-Options": "nosniff",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "no-cache",
};

export function sayHeaders(
  response: ServerResponse,
  { status, headers = {} }: Omit<HttpAnswer, "body">,
): void {
  response.writeHead(status, { ...ALWAYS, ...headers });
}

export function say(response: ServerResponse, answer: HttpAnswer): void {
  if (response.headersSent || response.destroyed) return;
  if (!response.req.complete) passOver(response.req);
  const body = answer.body ?? "";
  const length = String(typeof body === "string" ? Buffer.byteLength(body) : body.byteLength);
  sayHeaders(response, {
    status: answer.status,
    headers: { "Content-Length": length, ...answer.headers },
  });
  response.end(body);
}

/** A line of text for people. */
export function plainAnswer(
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): HttpAnswer {
  return {
    status,
    headers: { "Content-Type": "text/plain; charset=utf-8", ...headers },
    body: `${text}\n`,
  };
}
