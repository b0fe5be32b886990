/**
 * Compiles every text under a directory as D2 labels and tooltips and checks that each comes back as it went in:
 * `pnpm d2:corpus DIR`. A text is a file's content, a line of it where it is not JSON, and every string and key
 * inside JSON. Slow and heavy (D2 takes 500 MiB), so it is no unit test.
 */
import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { D2 } from "@terrastruct/d2";
import { cleanText } from "../src/clean-text.ts";
import { d2String, d2Tooltip } from "../src/d2-text.ts";

const shapesPerCompile = 250;
const [, , directory] = process.argv;
if (directory === undefined) {
  console.error("usage: pnpm d2:corpus DIR");
  process.exit(2);
}

const files = globSync("**/*", { cwd: directory })
  .map((name) => join(directory, name))
  .filter((path) => statSync(path).isFile());
const texts = new Set(files.flatMap((path) => [...textsOf(readFileSync(path, "utf8"))]));
console.log(`${texts.size} distinct texts in ${files.length} files`);

const d2 = new D2();
const pending = [...texts];
let failures = 0;
for (let at = 0; at < pending.length; at += shapesPerCompile) {
  failures += await failuresIn(pending.slice(at, at + shapesPerCompile));
  if (at % (shapesPerCompile * 20) === 0) console.log(`${at} done, ${failures} failed`);
}
console.log(`${texts.size} texts compiled, ${failures} failed`);
process.exit(failures === 0 ? 0 : 1);

/** How many of a batch don't come back; a batch that does not compile is halved until the culprits are found. */
async function failuresIn(batch: readonly string[]): Promise<number> {
  const source = batch
    .map((text, at) => `s${at}: { label: ${d2String(text)}; tooltip: ${d2Tooltip(text)} }`)
    .join("\n");
  try {
    const { diagram } = await d2.compile({ fs: { index: source }, options: { layout: "elk" } });
    const labels = new Map(
      diagram.shapes.map((shape) => [shape.id, "label" in shape ? shape.label : ""]),
    );
    const wrong = batch.filter((text, at) => labels.get(`s${at}`) !== cleanText(text));
    for (const text of wrong) console.error("differs:", JSON.stringify(text.slice(0, 200)));
    const extra = Math.abs(diagram.shapes.length - batch.length);
    return wrong.length + extra;
  } catch (error) {
    const [only] = batch;
    if (batch.length === 1 && only !== undefined) {
      console.error("fails:", JSON.stringify(only.slice(0, 200)), String(error).slice(0, 300));
      return 1;
    }
    const half = Math.ceil(batch.length / 2);
    return (await failuresIn(batch.slice(0, half))) + (await failuresIn(batch.slice(half)));
  }
}

function* textsOf(content: string): Generator<string> {
  const whole = parsed(content);
  if (whole !== undefined) {
    yield* stringsIn(whole);
    return;
  }
  for (const line of content.split("\n")) {
    const value = parsed(line);
    if (value === undefined) yield line;
    else yield* stringsIn(value);
  }
}

function* stringsIn(value: unknown): Generator<string> {
  if (typeof value === "string") yield value;
  if (typeof value !== "object" || value === null) return;
  for (const [key, item] of Object.entries(value)) {
    yield key;
    yield* stringsIn(item);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
