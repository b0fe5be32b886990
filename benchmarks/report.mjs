import { readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg, totalmem } from "node:os";

/** The machine that figures come from, one line. */
export function machine() {
  const [load] = loadavg();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `Node ${process.version}, ${process.platform} ${process.arch}, ${cpus().length} × ${cpus()[0]?.model.trim()}, ${memory} GiB, load ${load.toFixed(1)}`;
}

/** A Markdown table; cells are text. */
export function table(head, rows) {
  return [head, head.map((_, column) => (column === 0 ? "---" : "--:")), ...rows].map(
    // A stroke would end its cell.
    (cells) => `| ${cells.map((cell) => String(cell).replaceAll("|", "\\|")).join(" | ")} |`,
  );
}

const README = new URL("README.md", import.meta.url);

/** Prints the lines; with `--write` they also replace what stands in a page between the section's markers. */
export function report(section, lines, readme = README) {
  console.log(lines.join("\n"));
  if (!process.argv.includes("--write")) return;
  const [open, close] = [`<!-- ${section} -->`, `<!-- end of ${section} -->`];
  const text = readFileSync(readme, "utf8");
  const [before, rest] = text.split(open);
  const after = rest?.split(close)[1];
  if (after === undefined)
    throw new Error(`README.md has no place for the figures: ${open} … ${close}`);
  writeFileSync(readme, `${before}${open}\n${lines.join("\n")}\n${close}${after}`);
}
