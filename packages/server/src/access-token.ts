import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** The cookie that holds the token once somebody has shown it. */
export const TOKEN_COOKIE = "thoughtflow_token";

/** Whether a request shows the token, as `Authorization: Bearer` or as cookie. How long a look takes says nothing of it. */
export function showsToken({ headers }: IncomingMessage, token: string): boolean {
  const { authorization = "", cookie = "" } = headers;
  const bearer = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
  const cookies = cookie.split(";").map((one) => one.trim());
  const own = cookies.find((one) => one.startsWith(`${TOKEN_COOKIE}=`));
  const shown = bearer ?? own?.slice(TOKEN_COOKIE.length + 1);
  return shown !== undefined && isToken(shown, token);
}

export function isToken(shown: string, token: string): boolean {
  return timingSafeEqual(digest(shown), digest(token));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
