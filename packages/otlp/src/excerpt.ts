/**
 * Bytes cut out of a request, and heads of fields around them, which make a request again: nothing is copied before it is
 * written somewhere.
 */
export interface Excerpt {
  /** Bytes. */
  readonly length: number;
  /** Writes it there, as long as the request lies where it lay; answers where it ends. */
  copyTo(target: Buffer, at: number): number;
}

/** Puts an excerpt together, from its beginning on. */
export interface ExcerptCutter {
  /** Takes the request's bytes from there to there. */
  take(start: number, end: number): void;
  /** Begins a field of that tag, which is less than 128; all up to its `end` is in it. */
  begin(tag: number): number;
  /** @param begun what `begin` answered */
  end(begun: number): void;
}

/** Of a request, what `cut` takes. */
export function excerptOf(request: Uint8Array, cut: (cutter: ExcerptCutter) => void): Excerpt {
  const source = Buffer.from(request.buffer, request.byteOffset, request.byteLength);
  /** In pairs: a start and an end, or a tag, below zero, and the length of what is in its field. */
  const parts: number[] = [];
  let length = 0;
  cut({
    take(start, end) {
      length += end - start;
      const last = parts.length - 1;
      const isNext = last > 0 && (parts[last - 1] ?? 0) >= 0 && parts[last] === start;
      if (isNext) parts[last] = end;
      else parts.push(start, end);
    },
    begin(tag) {
      // Until its end is known, what stands before it.
      return parts.push(-tag, length) - 1;
    },
    end(begun) {
      const inside = length - (parts[begun] ?? 0);
      parts[begun] = inside;
      length += headLength(inside);
    },
  });
  return {
    length,
    copyTo(target, at) {
      let to = at;
      for (let index = 0; index < parts.length; index += 2) {
        const first = parts[index] ?? 0;
        const second = parts[index + 1] ?? 0;
        to =
          first < 0
            ? writeHead(target, to, -first, second)
            : to + source.copy(target, to, first, second);
      }
      return to;
    },
  };
}

/** An excerpt by itself. */
export function excerptBytes(excerpt: Excerpt): Buffer<ArrayBuffer> {
  const bytes = Buffer.allocUnsafe(excerpt.length);
  excerpt.copyTo(bytes, 0);
  return bytes;
}

/** A tag, and a length in as few bytes as it takes. */
function headLength(length: number): number {
  let bytes = 2;
  for (let rest = length; rest > 127; rest = Math.floor(rest / 128)) bytes += 1;
  return bytes;
}

function writeHead(target: Buffer, at: number, tag: number, length: number): number {
  let to = at;
  target[to++] = tag;
  let rest = length;
  for (; rest > 127; rest = Math.floor(rest / 128)) target[to++] = (rest % 128) | 128;
  target[to++] = rest;
  return to;
}
