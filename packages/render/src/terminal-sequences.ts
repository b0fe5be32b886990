const ESC = "\u{1b}";
/** Open a string, and break off one that is open: so a row of them is read once, and not by each to its end. */
const openers = "\u{90}\u{98}\u{9d}\u{9e}\u{9f}";
/** Colours and cursor moves (CSI), titles, links and clipboard writes (OSC and its like), and two-letter sequences. */
const terminalSequences = new RegExp(
  [
    `(?:${ESC}\\[|\u{9b})[0-?]*[ -/]*[@-~]`,
    `(?:${ESC}[\\]PX^_]|[${openers}])[^\u{7}${ESC}\u{9c}${openers}]*(?:\u{7}|\u{9c}|${ESC}\\\\)`,
    `${ESC}[ -/]*[0-~]?`,
  ].join("|"),
  "gu",
);

/** A text without what was to act on a terminal: tools give back what they would have printed there. */
export function withoutSequences(text: string): string {
  return text.replace(terminalSequences, "");
}
