import type { Span } from "@opentelemetry/api";
import { SpanStatusCode } from "@opentelemetry/api";
import { attempt } from "./attempt.ts";
import { attachContent } from "./content.ts";
import type { ContentCapture } from "./content-capture.ts";
import { capturesAll } from "./content-capture.ts";
import { tellError } from "./error-text.ts";
import { exposeContent, spanContentCapture } from "./expose-content.ts";
import { isCancellation, OTHER_ERROR, recordCancellation, recordFailure } from "./failure.ts";
import { readSoon } from "./read-soon.ts";
import { endAtStart } from "./tracer.ts";

/** How a kind of span says that it neither succeeded nor failed. */
export interface StatusWords {
  readonly attribute: string;
  /** When the work was called off. */
  readonly cancelled: string;
  /** When all went well, if the program says so. */
  readonly done: string;
}

/** The open span of a run or a step. Nothing throws, and after the end nothing happens. */
export interface FlowSpan {
  /** Content by attribute name, read when somebody needs it as text. */
  readonly values: Record<string, unknown>;
  write(action: (span: Span) => void): void;
  setStatus(status: string, message?: string): void;
  recordError(error: unknown): void;
  /** Says what the program threw; the span stays open. */
  fail(error: unknown): void;
  end(): void;
  /** Ends as if no time had passed. */
  endAtOnce(): void;
}

/** Who watches a span, where that is not what the process says. */
export interface SpanWatcher {
  /** Which content the span shows to exporters. Default: what `setSpanContentCapture` said. */
  readonly captureContent?: ContentCapture | undefined;
  /** Right after the end. */
  readonly ended?: (span: Span) => void;
}

/** Guards a span that was just started, and puts its content beside it. */
export function flowSpan(
  span: Span,
  words: StatusWords,
  values: Record<string, unknown>,
  { captureContent, ended }: SpanWatcher = {},
): FlowSpan {
  const write = (action: (span: Span) => void): void => {
    if (span.isRecording()) attempt(() => action(span));
  };
  const shown = (): ContentCapture => captureContent ?? spanContentCapture();
  const isShown = (): boolean => capturesAll(shown());
  const expose = (): void => {
    write(() => exposeContent(span, shown()));
  };
  write(() => {
    const content = { values };
    attachContent(span, content);
    readSoon(content);
  });
  return {
    values,
    write,
    setStatus(status, message) {
      write(() => {
        if (status === "error") {
          if (message) {
            tellError(span, OTHER_ERROR, { message }, { isShown: isShown(), asException: false });
          } else span.setStatus({ code: SpanStatusCode.ERROR });
        } else if (status === words.done) {
          span.setStatus({ code: SpanStatusCode.OK });
        } else {
          span.setAttribute(words.attribute, status);
        }
      });
    },
    recordError: (error) => write(() => recordFailure(span, error, isShown())),
    fail(error) {
      write(() => {
        if (!isCancellation(error)) return recordFailure(span, error, isShown());
        span.setAttribute(words.attribute, words.cancelled);
        recordCancellation(span, error, isShown());
      });
    },
    end() {
      expose();
      attempt(() => span.end());
      attempt(() => ended?.(span));
    },
    endAtOnce() {
      expose();
      attempt(() => endAtStart(span));
      attempt(() => ended?.(span));
    },
  };
}
