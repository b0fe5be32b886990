import { open } from "node:fs/promises";

/** What the first lines of a document say. */
export interface DocumentHead {
  readonly session_id: string;
  readonly revision?: number;
  readonly title?: string;
  readonly status?: string;
}

const HEAD_BYTES = 64 * 1024;
/** Members of the document itself: what lies deeper is indented by more, and no text holds a line break. */
const MEMBER = /^ {2}"(session_id|revision|title|status)": (.*?),?$/gm;

/** Reads no more than a document's beginning; `undefined` when it is none. */
export async function documentHead(path: string): Promise<DocumentHead | undefined> {
  try {
    const file = await open(path, "r");
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
      return headIn(buffer.toString("utf8", 0, bytesRead));
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}

function headIn(text: string): DocumentHead | undefined {
  const members = Array.from(text.matchAll(MEMBER), ([, name, value = ""]) => [
    name,
    JSON.parse(value),
  ]);
  const head = Object.fromEntries(members);
  return typeof head.session_id === "string" ? head : undefined;
}
