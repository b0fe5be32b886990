import type { Span } from "@opentelemetry/api";
import { SpanStatusCode } from "@opentelemetry/api";
import { processState } from "./process-state.ts";
import { currentRedactor } from "./redaction.ts";

/** What an error said in full: content, like what people and models say; a provider quotes the prompt in it. */
export interface ErrorText {
  readonly message: string;
  readonly stack?: string;
}

const texts = processState("error-text.v1", () => new WeakMap<object, ErrorText>());

/** The text of the error that a span told last. */
export function errorTextOf(span: object): ErrorText | undefined {
  return texts.get(span);
}

/**
 * Marks a span as failed, or says only what called it off. What the error said is on the span, redacted, where the span shows its content; else the
 * span says its type and how long the text is, and where in the code it was thrown. The text itself lies beside the span
 * for the file.
 */
export function tellError(
  span: Span,
  type: string,
  text: ErrorText,
  { isShown, asException, isFailure = true, causes = [] }: TellOptions,
): void {
  const all = [{ type, text }, ...causes];
  texts.set(
    span,
    withCauses(all, (one) => one.text),
  );
  const { message, stack } = withCauses(all, (one) =>
    isShown ? redacted(one.text) : withoutWords(one.type, one.text),
  );
  if (asException) span.recordException({ name: type, message, ...(stack && { stack }) });
  if (isFailure) span.setStatus({ code: SpanStatusCode.ERROR, message });
}

/** What an error, or what caused it, is called and says. */
export interface ToldError {
  readonly type: string;
  readonly text: ErrorText;
}

interface TellOptions {
  readonly isShown: boolean;
  readonly asException: boolean;
  /** Whether it makes the span one that failed. Default: true. */
  readonly isFailure?: boolean;
  /** What it was caused by, and that in turn. */
  readonly causes?: readonly ToldError[];
}

/** The first one's words, the causes below its stack. */
function withCauses(
  [first, ...causes]: readonly ToldError[],
  say: (one: ToldError) => ErrorText,
): ErrorText {
  const { message, stack } = first === undefined ? { message: "", stack: undefined } : say(first);
  const below = causes.map((cause) => {
    const said = say(cause);
    return `Caused by: ${said.stack ?? said.message}`;
  });
  const whole = [...(stack === undefined ? [] : [stack]), ...below].join("\n");
  return { message, ...(whole !== "" && { stack: whole }) };
}

function redacted({ message, stack }: ErrorText): ErrorText {
  const redactor = currentRedactor();
  return {
    message: redactor.text(message, "status.message"),
    ...(stack !== undefined && { stack: redactor.text(stack, "exception.stacktrace") }),
  };
}

function withoutWords(type: string, { message, stack }: ErrorText): ErrorText {
  // The stack begins with the words; where it doesn't, nobody knows what in it is frames.
  const words = stack?.indexOf(message) ?? -1;
  const frames = words < 0 ? undefined : stack?.slice(words + message.length).trimEnd();
  return {
    message: message === "" ? type : `${type} (${message.length} characters)`,
    ...(frames && { stack: type + frames }),
  };
}
