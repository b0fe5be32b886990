import { isWithinTag, readTag, type TagAttributes } from "./thinking-tag.ts";

/** Told of thoughts as they come; a thought's text in pieces, as the chunks cut it. */
export interface ThinkingTagListener {
  open(attributes: TagAttributes): void;
  text(piece: string): void;
  /** `isComplete` is false where the text ended before the closing tag. */
  close(isComplete: boolean): void;
}

/** Reads a text that comes in chunks. */
export interface ThinkingTagParser {
  write(chunk: string): void;
  /** Nothing more comes. The parser is as new then. */
  end(): void;
}

const [LESS_THAN, BACKTICK, TILDE, SPACE, LINE_END] = [0x3c, 0x60, 0x7e, 0x20, 0x0a];
const MARK = /[<`~]/g;
const FENCE_LENGTH = 3;
/** What stands on a line is more than the blanks that may stand before a fence. */
const TEXT_ON_LINE = -1;
/** Blanks that a closing tag may hold. */
const CLOSING_BLANKS = 16;

/** Below this a look at each character is quicker than a search. */
const SHORT = 24;

/**
 * Finds thoughts that a model writes into its text: `<thinking>…</thinking>`, `<think>…</think>`, with attributes, also
 * self-closing. A tag may be cut by chunks anywhere. Tags in fenced code or between backticks are code; a backtick that
 * nothing closes ends with its paragraph. Inside a thought only its own closing tag counts. Of the text no more than one
 * tag's length is kept.
 */
export function createThinkingTagParser(listener: ThinkingTagListener): ThinkingTagParser {
  let place: "text" | "run" | "fence" | "fence end" | "inline" | "thought" = "text";
  /** The closing tag of the thought, without its `>`. */
  let closing = "";
  /** What the run or the code is of: the character code of a backtick or a tilde. */
  let mark = 0;
  /** How many marks began the code. */
  let codeLength = 0;
  /** A run of marks that may go on with the next chunk: how many so far, whether it begins its line, where it stands. */
  let runLength = 0;
  let runStartsLine = false;
  let runIn: "text" | "fence" | "inline" = "text";
  /** The beginning of what may be a tag. */
  let pending = "";
  /** How many blanks begin the line: `TEXT_ON_LINE` when more than three do, or anything else stands on it. */
  let indent = 0;

  /** A model's chunks are a few characters long: those that mean nothing take no way around. */
  function write(chunk: string): void {
    if (pending !== "") writePending(chunk);
    else if (chunk.length > SHORT) read(chunk, 0);
    else if (place === "text") {
      const at = passShort(chunk, 0);
      if (at < chunk.length) read(chunk, readMark(chunk, at));
    } else if (place === "thought") {
      const at = nextTag(chunk, 0);
      if (at !== -1) read(chunk, readClosing(chunk, 0, at));
      else if (chunk !== "") listener.text(chunk);
    } else read(chunk, 0);
  }

  function writePending(chunk: string): void {
    const text = pending + chunk;
    if (place === "text" && isWithinTag(pending, chunk)) {
      pending = text;
      return;
    }
    pending = "";
    read(text, place === "text" ? readMark(text, 0) : 0);
  }

  function read(text: string, from: number): void {
    let at = from;
    while (at < text.length) {
      if (place === "text") at = readText(text, at);
      else if (place === "thought") at = readThought(text, at);
      else if (place === "fence end") at = readFenceEnd(text, at);
      else if (place === "fence") at = readFence(text, at);
      else if (place === "inline") at = readInline(text, at);
      else at = readRun(text, at);
    }
  }

  function readText(text: string, at: number): number {
    const found = passText(text, at);
    return found < text.length ? readMark(text, found) : found;
  }

  /** Reads on from a character that may begin a tag or code. */
  function readMark(text: string, at: number): number {
    const character = text.charCodeAt(at);
    if (character !== LESS_THAN) {
      mark = character;
      return startRun("text", at);
    }
    // Most of what looks like a tag is none.
    if (at + 1 < text.length && text[at + 1] !== "t") return pass(text, at, at + 1);
    const tag = readTag(text, at);
    if (tag === undefined) return pass(text, at, at + 1);
    if (tag === "more") return keep(text, at);
    listener.open(tag.attributes);
    if (tag.isSelfClosing) listener.close(true);
    else {
      place = "thought";
      closing = tag.closing;
    }
    indent = TEXT_ON_LINE;
    return tag.end;
  }

  /** What follows the text decides what its end is. */
  function keep(text: string, from: number): number {
    pending = text.slice(from);
    return text.length;
  }

  function startRun(within: typeof runIn, at: number): number {
    place = "run";
    runIn = within;
    runLength = 0;
    runStartsLine = indent >= 0;
    return at;
  }

  function readRun(text: string, at: number): number {
    let to = at;
    while (to < text.length && text.charCodeAt(to) === mark) to++;
    runLength += to - at;
    if (to < text.length) endRun();
    return to;
  }

  function endRun(): void {
    indent = TEXT_ON_LINE;
    const isFence = runStartsLine && runLength >= FENCE_LENGTH;
    if (runIn === "text") {
      codeLength = runLength;
      if (isFence) place = "fence";
      else place = mark === BACKTICK ? "inline" : "text";
    } else if (runIn === "fence")
      place = isFence && runLength >= codeLength ? "fence end" : "fence";
    else place = runLength === codeLength ? "text" : "inline";
  }

  function readFence(text: string, at: number): number {
    const found = text.indexOf(String.fromCharCode(mark), at);
    if (found === -1) return pass(text, at, text.length);
    return startRun("fence", pass(text, at, found));
  }

  /** Behind what may be a closing fence: nothing but blanks may follow on its line. */
  function readFenceEnd(text: string, at: number): number {
    let to = at;
    while (text[to] === " " || text[to] === "\t" || text[to] === "\r") to++;
    if (to < text.length) place = text[to] === "\n" ? "text" : "fence";
    return pass(text, at, to);
  }

  function readInline(text: string, at: number): number {
    for (let to = at; to < text.length; to++) {
      const character = text.charCodeAt(to);
      if (character === mark) return startRun("inline", to);
      const endsParagraph = character === LINE_END && indent >= 0;
      indent = indentBehind(character, indent);
      if (!endsParagraph) continue;
      place = "text";
      return to + 1;
    }
    return text.length;
  }

  function readThought(text: string, at: number): number {
    const start = nextTag(text, at);
    return start === -1 ? said(text, at, text.length) : readClosing(text, at, start);
  }

  /** Reads on from `at` in a thought whose next `<`, at `start`, may close it. */
  function readClosing(text: string, at: number, start: number): number {
    if (!text.startsWith(closing, start)) {
      if (!closing.startsWith(text.slice(start))) return said(text, at, start + 1);
      said(text, at, start);
      return keep(text, start);
    }
    let end = start + closing.length;
    while (end - start < closing.length + CLOSING_BLANKS && /\s/.test(text[end] ?? "")) end++;
    if (end === text.length) {
      said(text, at, start);
      return keep(text, start);
    }
    if (text[end] !== ">") return said(text, at, start + 1);
    said(text, at, start);
    listener.close(true);
    place = "text";
    return end + 1;
  }

  function said(text: string, from: number, to: number): number {
    if (to > from) listener.text(from === 0 && to === text.length ? text : text.slice(from, to));
    return to;
  }

  /** Goes on to the next character that may mean something; to the end of the text when none does. */
  function passText(text: string, from: number): number {
    if (text.length - from <= SHORT) return passShort(text, from);
    MARK.lastIndex = from;
    return pass(text, from, MARK.exec(text)?.index ?? text.length);
  }

  function passShort(text: string, from: number): number {
    let blanks = indent;
    let at = from;
    for (; at < text.length; at++) {
      const character = text.charCodeAt(at);
      // Most characters are letters, which stand behind the backtick.
      if (
        character > BACKTICK
          ? character === TILDE
          : character === BACKTICK || character === LESS_THAN
      )
        break;
      blanks = indentBehind(character, blanks);
    }
    indent = blanks;
    return at;
  }

  /** Goes on, and knows afterwards what stands on the line. */
  function pass(text: string, from: number, to: number): number {
    if (to === from) return to;
    // No search beyond: a text of one line would be gone through for each of its marks.
    const passed = text.slice(from, to);
    const lineStart = passed.lastIndexOf("\n") + 1;
    let blanks = lineStart > 0 ? 0 : indent;
    for (let at = lineStart; at < passed.length && blanks >= 0; at++) {
      blanks = indentBehind(passed.charCodeAt(at), blanks);
    }
    indent = blanks;
    return to;
  }

  return {
    write,
    end() {
      if (place === "thought") {
        if (pending !== "") listener.text(pending);
        listener.close(false);
      }
      place = "text";
      pending = "";
      indent = 0;
    },
  };
}

/** What `indent` is behind one more character. */
function indentBehind(character: number, indent: number): number {
  if (character === LINE_END) return 0;
  return indent >= 0 && character === SPACE && indent < FENCE_LENGTH ? indent + 1 : TEXT_ON_LINE;
}

/** Where the next `<` stands; -1 where there is none. */
function nextTag(text: string, from: number): number {
  if (text.length - from > SHORT) return text.indexOf("<", from);
  for (let at = from; at < text.length; at++) if (text.charCodeAt(at) === LESS_THAN) return at;
  return -1;
}
