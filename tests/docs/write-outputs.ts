// Runs the examples of the given pages, writes what they print into the pages and draws their pictures anew:
// `npm run docs:write -- README.md`.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { examplesIn } from "./examples-in.ts";
import { diagramToDraw, drawnDiagram, pictureOf } from "./picture.ts";
import { runExample } from "./run-example.ts";

for (const page of process.argv.slice(2)) {
  let text = readFileSync(page, "utf8");
  for (const example of examplesIn(page, text)) {
    const { outputs, diagram } = await runExample(example);
    let written = example.text;
    for (const [i, { line, output }] of example.commands.entries()) {
      written = written.replace(`$ ${line}\n${output}`, () => `$ ${line}\n${outputs[i]}`);
    }
    text = text.replace(example.text, () => written);
    const picture = pictureOf(example);
    if (picture !== undefined && diagram !== undefined) draw(diagram, picture);
  }
  writeFileSync(page, text);
}

/** A picture that shows the same stays: no two runs take equal times. */
function draw(diagram: string, picture: string): void {
  if (drawnDiagram(picture) === diagramToDraw(diagram)) return;
  const dir = mkdtempSync(join(tmpdir(), "thoughtflow-picture-"));
  const source = join(dir, "session.d2");
  writeFileSync(source, diagram);
  const program = join(import.meta.dirname, "../../packages/render/scripts/draw-picture.ts");
  execFileSync(process.execPath, [program, source, picture], { stdio: "inherit" });
  rmSync(dir, { recursive: true });
}
