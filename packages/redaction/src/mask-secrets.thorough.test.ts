import { expect, test } from "vitest";
import { maskSecrets } from "./mask-secrets.ts";

const letters = "aB3dE5fG7hJ9kL2mN4pQ6rS8tU1vW0xY";
const hex = "0123456789abcdef0123456789abcdef";

test.each([
  ["x sk-%s y", "x [redacted: api_key] y"],
  ["API_KEY=%s y", "API_KEY=[redacted: api_key] y"],
  ["a cookie: a=%s b; c\nq", "a cookie: [redacted: cookie]\nq"],
  ["authorization: Bearer %s, y", "authorization: Bearer [redacted: authorization], y"],
  ["the bearer %s y", "the bearer [redacted: authorization] y"],
  ['{"token":"%s"}', '{"token":"[redacted: token]"}'],
  ["/api/webhooks/%s y", "/api/webhooks/[redacted: webhook] y"],
  ["-----BEGIN PRIVATE KEY-----%s, y", "[redacted: private_key], y"],
  ["sk-%s sk-%s", "[redacted: api_key] [redacted: api_key]"],
])("masks a secret of any length, and nothing behind it: %s", (text, masked) => {
  for (const length of [65_000, 65_600, 131_100, 8_000_000]) {
    const body = letters.repeat(length / letters.length);
    expect(maskSecrets(text.replaceAll("%s", body))).toBe(masked);
  }
});

test("reads texts to their end that begin like a private key of many megabytes", () => {
  const head = "-----BEGIN PRIVATE KEY-----";
  for (const piece of ["\\", "prose, and more. ", "- ", "\\n"]) {
    const text = `${head}${piece.repeat(8_000_000 / piece.length)}! password=hunter22-is-long`;
    expect(maskSecrets(text).endsWith("! password=[redacted: secret]")).toBe(true);
  }
});

test.each([
  "eyJ",
  "eyJeyJ.",
  "sk-",
  "api_key=",
  "\\nsk-a",
  "://a:",
  "-----BEGIN PRIVATE KEY-----",
  "authorization: Bearer ",
  "xoxb-",
  "Cookie: a=",
  "%20sk-",
  "sk_live_",
  "curl -u a:",
  "curl,-u,",
  "curl -d 'a | ",
  "curl -u 'a:",
  "curl ",
  "--api-key ",
  "--a-",
])(
  "takes time in proportion to the text, also for %j so often that its square is minutes",
  (piece) => {
    const text = piece.repeat(120_000);
    expect(maskSecrets(text).length).toBeGreaterThan(0);
    expect(maskSecrets(text.replaceAll("\n", " ") + hex)).not.toBe("");
  },
);
