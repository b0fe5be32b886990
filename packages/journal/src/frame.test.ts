import { type Excerpt, excerptOf } from "@thoughtflow/otlp";
import { describe, expect, it } from "vitest";
import {
  addContentFrame,
  type Damage,
  encodeFrame,
  encodeSpansFrames,
  type Frame,
  scanFrames,
} from "./frame.ts";
import { createFrameBuffer } from "./frame-buffer.ts";

const bodies = ["", "a", "ÿTF é 😀", "x".repeat(300), '{"trace":"1"}\n{}', "last"];
const frames = bodies.map((body) => encodeFrame("span_end", body));
const journal = Buffer.concat(frames);

function scan(bytes: Buffer): { bodies: string[]; end: number; damaged: readonly Damage[] } {
  const found: string[] = [];
  const { end, damaged } = scanFrames(bytes, (frame) => {
    found.push(bytes.toString("utf8", frame.bodyStart, frame.end));
  });
  return { bodies: found, end, damaged };
}

describe("scanFrames", () => {
  it("reads what was encoded", () => {
    expect(scan(journal)).toEqual({ bodies, end: journal.length, damaged: [] });
    expect(journal.subarray(0, 16).toString("hex")).toBe("ff54460103010000000000005f768c29");
  });

  it("keeps every whole frame wherever the file is cut off", () => {
    let whole = 0;
    let end = 0;
    for (let length = 0; length <= journal.length; length++) {
      const next = frames[whole];
      if (next !== undefined && length >= end + next.length) {
        end += next.length;
        whole++;
      }
      const cut = scan(journal.subarray(0, length));
      expect(cut).toEqual({ bodies: bodies.slice(0, whole), end, damaged: [] });
    }
    expect(whole).toBe(bodies.length);
  });

  it("loses only the frame in which a bit has flipped, and says where", () => {
    let start = 0;
    for (const [index, frame] of frames.entries()) {
      const end = start + frame.length;
      const others = bodies.filter((_, other) => other !== index);
      const isLast = index === frames.length - 1;
      for (let bit = 0; bit < frame.length * 8; bit++) {
        const bytes = Buffer.from(journal);
        const at = start + (bit >> 3);
        bytes[at] = (bytes[at] ?? 0) ^ (1 << (bit & 7));
        expect(scan(bytes)).toEqual({
          bodies: others,
          end: isLast ? start : journal.length,
          damaged: isLast ? [] : [{ start, end }],
        });
      }
      start = end;
    }
  });

  it("passes over foreign bytes before, between and after", () => {
    const zeros = Buffer.alloc(4096);
    const half = journal.subarray(0, 100);
    const bytes = Buffer.concat([zeros, journal, half, journal, zeros]);
    const second = zeros.length + journal.length;
    expect(scan(bytes)).toMatchObject({
      bodies: [...bodies, ...scan(half).bodies, ...bodies],
      end: bytes.length - zeros.length,
      damaged: [
        { start: 0, end: zeros.length },
        { start: second + scan(half).end, end: second + half.length },
      ],
    });
  });
});

it("names content by the SHA-256 of its text", () => {
  const frames = createFrameBuffer();
  const sha256 = addContentFrame(frames, "abc");
  expect(sha256).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  expect(scan(frames.take()).bodies).toEqual([`${sha256}abc`]);
});

/** Bytes, and the first of them again. */
function withItself(bytes: Uint8Array, again: number): Excerpt {
  return excerptOf(bytes, ({ take }) => {
    take(0, bytes.length);
    take(0, again);
  });
}

it("reads a file in stretches of any length as it reads it whole, journals in its texts and damage among them", () => {
  const inner = encodeFrame("span_end", "not a record of this file");
  const spans = encodeSpansFrames([
    { traceId: "t", sessionId: "s", count: 1, request: withItself(inner, 20) },
  ]);
  const torn = encodeFrame("span_end", "torn".repeat(9)).subarray(0, 31);
  const file = Buffer.concat([...frames, spans, torn, spans, inner.subarray(3), ...frames, torn]);
  const whole: Frame[] = [];
  const { end } = scanFrames(file, (frame) => whole.push(frame));
  for (let length = 1; length <= file.length; length++) {
    const read: Frame[] = [];
    let [at, last, stretch] = [0, 0, length];
    while (at < file.length) {
      const start = at;
      const scanned = scanFrames(
        file.subarray(start, start + stretch),
        (frame) =>
          read.push({ ...frame, bodyStart: start + frame.bodyStart, end: start + frame.end }),
        file.length - start,
      );
      if (scanned.end > 0) last = start + scanned.end;
      stretch = scanned.next > 0 ? length : stretch * 2;
      at += scanned.next;
    }
    expect({ length, read, last }).toEqual({ length, read: whole, last: end });
  }
});
