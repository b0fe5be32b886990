import { toText } from "@thoughtflow/semconv";
import {
  isObject,
  listOf,
  membersOf,
  numberOf,
  type PlainObject,
  textOf,
  valueOrText,
} from "../plain-values.ts";
import { millisecondsOf } from "./logged-exchange.ts";

/**
 * The entries of an HTTP archive (HAR 1.2), as browsers and proxies save what they saw; `undefined` of what is none.
 */
export function harEntriesIn(value: unknown): readonly unknown[] | undefined {
  const { entries } = membersOf(membersOf(value)["log"]);
  return Array.isArray(entries) ? entries : undefined;
}

/** One entry of such an archive. Headers may be gone: keys stand in them. */
export function isHarEntry({ startedDateTime, request }: PlainObject): boolean {
  return typeof startedDateTime === "string" && typeof membersOf(request)["url"] === "string";
}

/** An entry in the form that every program may write; of what sends nothing only what fetches is one. */
export function exchangeOfHar(entry: PlainObject): PlainObject {
  const request = membersOf(entry["request"]);
  const response = membersOf(entry["response"]);
  const { method } = request;
  if (method !== "POST" && method !== "GET") return {};
  const start = millisecondsOf(entry["startedDateTime"]);
  const took = Math.max(0, numberOf(entry["time"]) ?? 0);
  return {
    request: {
      method,
      timestamp: start,
      url: request["url"],
      headers: headersOf(request["headers"]),
      body: valueOrText(bodyText(membersOf(request["postData"]))),
    },
    response: {
      timestamp: start === undefined ? undefined : start + took,
      status_code: response["status"],
      ...answerOf(membersOf(response["content"])),
    },
  };
}

function headersOf(headers: unknown): PlainObject {
  return Object.fromEntries(
    listOf(headers).map((header) => {
      const { name, value } = membersOf(header);
      return [toText(name).toLowerCase(), value];
    }),
  );
}

function answerOf(content: PlainObject): PlainObject {
  const text = bodyText(content);
  const body = valueOrText(text ?? "");
  return isObject(body) ? { body } : { body_raw: text };
}

function bodyText({ text, encoding, mimeType }: PlainObject): string | undefined {
  const told = textOf(text);
  if (told === undefined) return undefined;
  if (encoding === "base64") return Buffer.from(told, "base64").toString("utf8");
  return /^text\/event-stream(?:;|$)/.test(toText(mimeType)) ? (utf8Behind(told) ?? told) : told;
}

const UTF8 = new TextDecoder("utf-8", { fatal: true });

/**
 * A stream of events is UTF-8, whatever its headers say; mitmproxy takes it for Latin-1 where they say nothing. The text that
 * such bytes mean; `undefined` where it was read rightly.
 */
function utf8Behind(text: string): string | undefined {
  if (!/^[\0-\xff]*[\x80-\xff][\0-\xff]*$/.test(text)) return undefined;
  try {
    return UTF8.decode(Buffer.from(text, "latin1"));
  } catch {
    return undefined;
  }
}
