// Where an import's CPU time goes, from a profile of V8: each sample counts for the innermost function on its stack that
// begins a stage.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** By the name of the function, as the built packages have it. */
const STAGES = new Map(
  Object.entries({
    "(garbage collector)": "garbage collection",
    lines: "lines, and JSON.parse of each",
    linesOf: "lines, and JSON.parse of each",
    readTranscriptLine: "lines, and JSON.parse of each",
    readTranscripts: "making spans of records",
    take: "making spans of records",
    content: "masking content and writing it as JSON",
    masked: "masking names and attributes",
    drain: "journal: bytes, hashes, writing",
    append: "journal: bytes, hashes, writing",
    recordsOfSession: "journal: reading it back",
    assemble: "assembly, without prices",
    costOf: "prices",
    withContent: "document: content parsed once more",
    canonicalParts: "document: canonical JSON",
    writeDocument: "document: bytes, writing",
    writeDocumentSync: "document: bytes, writing",
    render: "D2 and SVG",
    evaluate: "loading the program",
    compileSourceTextModule: "loading the program",
  }),
);

/** The share of each stage, the largest first, as `[stage, fraction]`; what belongs to none is `the rest`. */
export function stagesOf(folder) {
  const [name] = readdirSync(folder).filter((one) => one.endsWith(".cpuprofile"));
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(join(folder, name), "utf8"));
  const stages = new Map();
  // Parents stand before their children.
  for (const { id, callFrame, children = [] } of nodes) {
    const own = STAGES.get(callFrame.functionName) ?? stages.get(id);
    stages.set(id, callFrame.functionName === "(idle)" ? undefined : (own ?? "the rest"));
    for (const child of children) if (own !== undefined) stages.set(child, own);
  }
  const taken = new Map();
  let total = 0;
  for (const [at, sample] of samples.entries()) {
    const stage = stages.get(sample);
    if (stage === undefined) continue;
    taken.set(stage, (taken.get(stage) ?? 0) + timeDeltas[at]);
    total += timeDeltas[at];
  }
  return [...taken].sort((a, b) => b[1] - a[1]).map(([stage, time]) => [stage, time / total]);
}
