import { protobufFields, readVarint } from "./protobuf-fields.ts";

/** What a receiver says of a request that it took, but not wholly. */
export interface PartialSuccess {
  readonly rejectedSpans: number;
  /** Empty when it doesn't say why. */
  readonly message: string;
}

const NOTHING_SAID: PartialSuccess = { rejectedSpans: 0, message: "" };

/** `ExportTraceServiceResponse.partial_success` of a protobuf answer; nothing rejected where it can't be read. */
export function partialSuccessOfProtobuf(answer: Uint8Array): PartialSuccess {
  try {
    for (const field of protobufFields(answer)) {
      if (field.number === 1 && field.wireType === 2) {
        return partialSuccessIn(answer, field.valueStart, field.end);
      }
    }
  } catch {
    // An answer that is no protobuf says nothing; the request was accepted.
  }
  return NOTHING_SAID;
}

function partialSuccessIn(answer: Uint8Array, from: number, to: number): PartialSuccess {
  let { rejectedSpans, message } = NOTHING_SAID;
  for (const { number, wireType, valueStart, end } of protobufFields(answer, from, to)) {
    if (number === 1 && wireType === 0) [rejectedSpans] = readVarint(answer, valueStart, end);
    if (number === 2 && wireType === 2) message = textOf(answer.subarray(valueStart, end));
  }
  return { rejectedSpans, message };
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** The same of a JSON answer. */
export function partialSuccessOfJson(answer: Uint8Array): PartialSuccess {
  try {
    const { partialSuccess } = JSON.parse(textOf(answer));
    const rejectedSpans = Number(partialSuccess?.rejectedSpans ?? 0);
    const message = String(partialSuccess?.errorMessage ?? "");
    return { rejectedSpans: Number.isFinite(rejectedSpans) ? rejectedSpans : 0, message };
  } catch {
    return NOTHING_SAID;
  }
}
