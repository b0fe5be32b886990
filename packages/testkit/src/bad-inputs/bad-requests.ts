import { type BadInput, item } from "./bad-input.ts";

/** Targets of HTTP requests to whatever serves files, as they stand in the request line. */
export const badRequestTargets: readonly BadInput<string>[] = item(
  150,
  "a target",
  "/thoughtflow/../../x",
  "/%2e%2e/x",
  "/..%2fx",
  "/%5c..%5cx",
  "//",
  "//evil.example/x",
  "/./x",
  "/x;a=b",
  "/x.json.",
  "/x.json%20",
  "/x.json/",
  "/x.json?raw??",
  "/a%00b",
  "/%c0%ae%c0%ae/x",
  "/%",
  "/%zz",
  "http://evil.example/x",
  "*",
);

/** `Host` headers with which a page of somebody else may come. */
export const badHosts: readonly BadInput<string>[] = item(
  152,
  "a host",
  "evil.example",
  "127.0.0.1.nip.io",
  "localhost.evil.example",
  "0.0.0.0",
  "LOCALHOST.EVIL.EXAMPLE",
  "localhost:1@evil.example",
  "",
);

/** `Origin` headers that are not ours. */
export const badOrigins: readonly BadInput<string>[] = item(
  153,
  "an origin",
  "null",
  "http://evil.example",
  "file://",
);

/** Values of `Range`. */
export const badRanges: readonly BadInput<string>[] = item(
  154,
  "a range",
  "bytes=5-1",
  "bytes=-0",
  "bytes=x",
  `bytes=${"0-1,".repeat(1_000)}`,
);

/** Patterns that take a backtracking engine for ever. */
export const badPatterns: readonly BadInput<string>[] = item(
  160,
  "a pattern",
  "(a+)+$",
  "(.*a){20}",
  "(a|a)*$",
  "(",
  "[",
  "(?<!x)y",
  "\\p{L}+",
  "x".repeat(10_000),
);

/** What a query may be made to say. */
export const badQueries: readonly BadInput<string>[] = item(
  162,
  "a query",
  "'; DROP TABLE steps; --",
  '" OR 1=1',
  "%",
  "_",
  "\\",
  "$[*]",
  "1; SELECT 1",
  "’ OR ’1’=’1",
);
