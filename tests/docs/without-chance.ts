/** A printed text without what differs from run to run: ids, times, durations, and what they leave room for. */
export function withoutChance(text: string): string {
  return (
    text
      .replaceAll(/\b(s|r|misc)_[0-9a-f]{4,32}(?=_out\b|\b)/g, "$1_ID")
      .replaceAll(/\b[0-9a-f]{16,64}\b/g, "ID")
      .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?Z?/g, "DATE")
      .replaceAll(/ # time=[\d.]+ms/g, "")
      // Figures of a session go on in the next line where their line is too short for them.
      .replaceAll(/\n(?=[\d,]+ (?:→|[a-z])|\$\d)/g, " · ")
      .replaceAll(/(· )?\b\d+(\.\d+)? m?s\b/g, "")
      .replaceAll(/\S*…/g, "…")
      .replaceAll(/← ([^\s,]+)((?:, [^\s,]+)*)(?: \+(\d+))?/g, restsOn)
      .replaceAll(/[ \t]+/g, " ")
      .replaceAll(/ +$/gm, "")
      .trim()
  );
}

/** How many of what a step rests on are named depends on the room behind its duration: compared are the first and their number. */
function restsOn(_: string, first: string, named: string, more = "0"): string {
  return `← ${first} of ${named.split(",").length + Number(more)}`;
}
