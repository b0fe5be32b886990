import { isUtf8 } from "node:buffer";
import { decodeProtobufRequest } from "@thoughtflow/otlp";

/** Texts stay bytes, but it is known that they can be read. */
class TextOfRequest {
  constructor(request, start, end) {
    this.request = request;
    this.start = start;
    this.bytes = end - start;
    if (!isUtf8(request.subarray(start, end))) throw new Error("no UTF-8");
  }
  get name() {
    return String(this.start);
  }
  get text() {
    return this.request.toString("utf8", this.start, this.start + this.bytes);
  }
}

/** A record of every span of a request, whose bytes must stay as they are as long as its texts are looked at. */
export function checkedRecords(bytes) {
  return decodeProtobufRequest(bytes, {
    textAt: (start, end) => new TextOfRequest(bytes, start, end),
  }).records;
}
