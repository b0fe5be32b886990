import type { GenAiPart } from "@thoughtflow/semconv";
import { present, textOf } from "./unknown-values.ts";

/** Where the bytes of a picture, a sound or a document are; the first that is given counts. */
export interface MediaSource {
  /** Of the provider's file store. */
  readonly fileId?: unknown;
  /** `https:` or `data:`. */
  readonly url?: unknown;
  /** Base64, or a `data:` URL. */
  readonly data?: unknown;
  readonly mimeType?: string | undefined;
  readonly filename?: unknown;
}

/** A `file`, `uri` or `blob` part; `undefined` when no source is given. */
export function mediaPart(modality: string, source: MediaSource): GenAiPart | undefined {
  const filename = textOf(source.filename);
  const fileId = textOf(source.fileId);
  if (fileId !== undefined) {
    return { type: "file", modality, ...present({ filename }), file_id: fileId };
  }
  const address = textOf(source.url) ?? textOf(source.data);
  if (address === undefined) return undefined;
  const inline = /^data:([^;,]*)[^,]*,/.exec(address);
  if (inline === null && textOf(source.url) !== undefined) {
    return { type: "uri", modality, ...present({ filename }), uri: address };
  }
  const mimeType = inline?.[1] || source.mimeType;
  const content = inline === null ? address : address.slice(inline[0].length);
  return { type: "blob", modality, ...present({ mime_type: mimeType, filename }), content };
}
