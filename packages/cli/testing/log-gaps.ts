/** What a log leaves out of the answers that programs were given. */
export const LOG_GAPS = [
  "no answer is logged",
  "only failures are logged",
  "some answers are missing",
  "some streams are logged in part",
] as const;
export type LogGap = (typeof LOG_GAPS)[number];

interface LoggedLine {
  readonly response?: {
    readonly status?: number;
    readonly status_code?: number;
    readonly body?: unknown;
    readonly body_raw?: unknown;
  };
}

/** So many answers of a log with gaps are missing, or logged in part. */
const SHARE = 0.3;

/** A line as a log with such gaps has it; the program was given all of it. */
export function lineWithGap(line: object, gap: LogGap, random: () => number): object {
  const { response } = line as LoggedLine;
  const isFailure = (response?.status ?? response?.status_code ?? 0) >= 400;
  const isHit = random() < SHARE;
  if (gap === "no answer is logged") return withoutAnswer(line);
  if (gap === "only failures are logged") return isFailure ? line : withoutAnswer(line);
  if (gap === "some answers are missing") return isHit ? withoutAnswer(line) : line;
  const stream = response?.body_raw ?? response?.body;
  if (!isHit || typeof stream !== "string") return line;
  const part = stream.slice(0, Math.floor(random() * stream.length));
  const key = response?.body_raw === undefined ? "body" : "body_raw";
  return { ...line, response: { ...response, [key]: part } };
}

function withoutAnswer(line: object): object {
  return { ...line, response: undefined };
}
