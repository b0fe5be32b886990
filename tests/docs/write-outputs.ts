// Runs the examples of the given pages and writes what they print into the pages: `npm run docs:write -- README.md`.
import { readFileSync, writeFileSync } from "node:fs";
import { examplesIn } from "./examples-in.ts";
import { runExample } from "./run-example.ts";

for (const page of process.argv.slice(2)) {
  let text = readFileSync(page, "utf8");
  for (const example of examplesIn(page, text)) {
    const outputs = await runExample(example);
    let written = example.text;
    for (const [i, { line, output }] of example.commands.entries()) {
      written = written.replace(`$ ${line}\n${output}`, () => `$ ${line}\n${outputs[i]}`);
    }
    text = text.replace(example.text, () => written);
  }
  writeFileSync(page, text);
}
