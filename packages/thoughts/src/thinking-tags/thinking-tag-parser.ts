import { isWithinTag, LONGEST_TAG, readTag, type TagAttributes } from "./thinking-tag.ts";

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

/** A run of one character: backticks or tildes, not known yet to be at its end. */
interface Run {
  readonly character: string;
  readonly startsLine: boolean;
  length: number;
}

/** Where the parser is. Of the text it keeps no more than one tag's length. */
type Place =
  | { readonly in: "text" }
  | { readonly in: "run"; readonly run: Run; readonly within: Code | undefined }
  | { readonly in: "code"; readonly code: Code }
  /** Behind what may be a closing fence: nothing but blanks may follow on its line. */
  | { readonly in: "fence end"; readonly code: Code }
  | { readonly in: "thought"; readonly name: string };

interface Code {
  readonly kind: "fence" | "inline";
  readonly character: string;
  readonly length: number;
}

const TEXT: Place = { in: "text" };
const MARK = /[<`~]/g;
const [LESS_THAN, BACKTICK, TILDE, SPACE, LINE_END] = [0x3c, 0x60, 0x7e, 0x20, 0x0a];
const FENCE_LENGTH = 3;
/** Blanks that a closing tag may hold. */
const CLOSING_BLANKS = 16;

/** Below this a look at each character is quicker than an expression. */
const SHORT = 24;

/** Where the next `<` stands; -1 where there is none. */
function nextTag(text: string, from: number): number {
  if (text.length - from > SHORT) return text.indexOf("<", from);
  for (let at = from; at < text.length; at++) if (text.charCodeAt(at) === LESS_THAN) return at;
  return -1;
}

/**
 * Finds thoughts that a model writes into its text: `<thinking>…</thinking>`, `<think>…</think>`, with attributes, also
 * self-closing. A tag may be cut by chunks anywhere. Tags in fenced code or between backticks are code; a backtick that
 * nothing closes ends with its paragraph. Inside a thought only its own closing tag counts.
 */
export function createThinkingTagParser(listener: ThinkingTagListener): ThinkingTagParser {
  let place: Place = TEXT;
  /** The beginning of what may be a tag. */
  let pending = "";
  /** What stands on the line so far: undefined when it is more than three blanks. */
  let indent: number | undefined = 0;

  function write(chunk: string): void {
    let text = chunk;
    let at = 0;
    if (pending !== "") {
      text = pending + chunk;
      if (place === TEXT && isWithinTag(pending, chunk)) {
        pending = text;
        return;
      }
      pending = "";
    } else if (place === TEXT) at = passText(text, 0);
    while (at < text.length) at = step(text, at);
  }

  function step(text: string, at: number): number {
    switch (place.in) {
      case "text":
        return readText(text, at);
      case "run":
        return readRun(text, at, place.run, place.within);
      case "code":
        return place.code.kind === "fence"
          ? readFence(text, at, place.code)
          : readInline(text, at, place.code);
      case "fence end":
        return readFenceEnd(text, at, place.code);
      case "thought":
        return readThought(text, at, place.name);
    }
  }

  function readText(text: string, at: number): number {
    const found = passText(text, at);
    if (found === text.length) return found;
    const mark = text[found] ?? "";
    if (mark !== "<") return startRun(mark, found, undefined);
    // Most of what looks like a tag is none.
    if (found + 1 < text.length && text[found + 1] !== "t") return pass(text, found, found + 1);
    const read = readTag(text.slice(found, found + LONGEST_TAG));
    if (read === undefined) return pass(text, found, found + 1);
    if (read === "more") {
      pending = text.slice(found);
      return text.length;
    }
    const { tag, length } = read;
    listener.open(tag.attributes);
    if (tag.isSelfClosing) listener.close(true);
    else place = { in: "thought", name: tag.name };
    indent = undefined;
    return found + length;
  }

  function startRun(character: string, at: number, within: Code | undefined): number {
    place = {
      in: "run",
      run: { character, startsLine: indent !== undefined, length: 0 },
      within,
    };
    return at;
  }

  function readRun(text: string, at: number, run: Run, within: Code | undefined): number {
    let to = at;
    while (to < text.length && text[to] === run.character) to++;
    run.length += to - at;
    if (to < text.length) endRun(run, within);
    return to;
  }

  function endRun({ character, length, startsLine }: Run, within: Code | undefined): void {
    indent = undefined;
    const isFence = startsLine && length >= FENCE_LENGTH;
    if (within === undefined) {
      if (isFence) place = { in: "code", code: { kind: "fence", character, length } };
      else if (character === "`")
        place = { in: "code", code: { kind: "inline", character, length } };
      else place = TEXT;
    } else if (within.kind === "inline") {
      place = length === within.length ? TEXT : { in: "code", code: within };
    } else {
      const mayClose = isFence && length >= within.length;
      place = { in: mayClose ? "fence end" : "code", code: within };
    }
  }

  function readFence(text: string, at: number, code: Code): number {
    const found = text.indexOf(code.character, at);
    if (found === -1) return pass(text, at, text.length);
    pass(text, at, found);
    return startRun(code.character, found, code);
  }

  function readFenceEnd(text: string, at: number, code: Code): number {
    let to = at;
    while (text[to] === " " || text[to] === "\t" || text[to] === "\r") to++;
    if (to < text.length) place = text[to] === "\n" ? TEXT : { in: "code", code };
    return pass(text, at, to);
  }

  function readInline(text: string, at: number, code: Code): number {
    for (let to = at; to < text.length; to++) {
      const character = text[to];
      if (character === code.character) {
        pass(text, at, to);
        return startRun(code.character, to, code);
      }
      if (character !== "\n") continue;
      const before = pass(text, at, to);
      const isBlankLine = indent !== undefined;
      pass(text, before, to + 1);
      if (isBlankLine) place = TEXT;
      return to + 1;
    }
    return pass(text, at, text.length);
  }

  function readThought(text: string, at: number, name: string): number {
    const start = nextTag(text, at);
    if (start === -1) return said(text, at, text.length);
    const closing = `</${name}`;
    if (!text.startsWith(closing, start)) {
      if (!closing.startsWith(text.slice(start))) return said(text, at, start + 1);
      said(text, at, start);
      pending = text.slice(start);
      return text.length;
    }
    let end = start + closing.length;
    while (end - start < closing.length + CLOSING_BLANKS && /\s/.test(text[end] ?? "")) end++;
    if (end === text.length) {
      said(text, at, start);
      pending = text.slice(start);
      return text.length;
    }
    if (text[end] !== ">") return said(text, at, start + 1);
    said(text, at, start);
    listener.close(true);
    place = TEXT;
    return end + 1;
  }

  function said(text: string, from: number, to: number): number {
    if (to > from) listener.text(from === 0 && to === text.length ? text : text.slice(from, to));
    return to;
  }

  /** Goes on to the next character that may mean something; to the end of the text when none does. */
  function passText(text: string, from: number): number {
    const { length } = text;
    if (length - from > SHORT) {
      MARK.lastIndex = from;
      return pass(text, from, MARK.exec(text)?.index ?? length);
    }
    for (let at = from; at < length; at++) {
      const code = text.charCodeAt(at);
      if (code > BACKTICK ? code === TILDE : code === BACKTICK || code === LESS_THAN) return at;
      if (code === LINE_END) indent = 0;
      else if (indent !== undefined)
        indent = code === SPACE && indent < FENCE_LENGTH ? indent + 1 : undefined;
    }
    return length;
  }

  /** Goes on, and knows afterwards what stands on the line. */
  function pass(text: string, from: number, to: number): number {
    if (to === from) return to;
    // No search beyond: a text of one line would be gone through for each of its marks.
    const passed = text.slice(from, to);
    const lineStart = passed.lastIndexOf("\n") + 1;
    let blanks = lineStart > 0 ? 0 : indent;
    for (let at = lineStart; at < passed.length && blanks !== undefined; at++) {
      blanks = passed[at] === " " && blanks < FENCE_LENGTH ? blanks + 1 : undefined;
    }
    indent = blanks;
    return to;
  }

  return {
    write,
    end() {
      if (place.in === "thought") {
        if (pending !== "") listener.text(pending);
        listener.close(false);
      }
      place = TEXT;
      pending = "";
      indent = 0;
    },
  };
}
