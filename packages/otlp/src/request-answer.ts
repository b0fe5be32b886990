import { finishMessage, mark, nested, startMessage, text, varint } from "./backward-writer.ts";
import type { PartialSuccess } from "./partial-success.ts";

/** What a receiver says, in the form of the request. */
export interface RequestAnswers {
  readonly contentType: "application/x-protobuf" | "application/json";
  /** An `ExportTraceServiceResponse`. */
  taken(partial?: PartialSuccess): Uint8Array;
  /** A `Status` that says why nothing was taken. Source: OTLP specification, "Failures". */
  refused(message: string): Uint8Array;
}

/** By the form of the request. */
export const REQUEST_ANSWERS: Readonly<Record<"protobuf" | "json", RequestAnswers>> = {
  protobuf: {
    contentType: "application/x-protobuf",
    taken(partial) {
      startMessage();
      if (partial !== undefined) {
        const end = mark();
        text(18, partial.message);
        varint(8, partial.rejectedSpans);
        nested(end, 10);
      }
      return finishMessage();
    },
    refused(message) {
      startMessage();
      text(18, message);
      return finishMessage();
    },
  },
  json: {
    contentType: "application/json",
    taken(partial) {
      const { rejectedSpans, message: errorMessage } = partial ?? {};
      const said = partial && {
        partialSuccess: { rejectedSpans: String(rejectedSpans), errorMessage },
      };
      return Buffer.from(JSON.stringify(said ?? {}));
    },
    refused: (message) => Buffer.from(JSON.stringify({ message })),
  },
};
