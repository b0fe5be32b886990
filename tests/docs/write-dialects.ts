// Writes the tables of docs/dialects.md from the tables in the code: `npm run docs:dialects`.
import { readFileSync, writeFileSync } from "node:fs";
import { dialectTables } from "./dialects-page.ts";

const PAGE = new URL("../../docs/dialects.md", import.meta.url);
const page = readFileSync(PAGE, "utf8");
const marker = "<!-- tables -->\n";
writeFileSync(PAGE, page.slice(0, page.indexOf(marker) + marker.length) + dialectTables());
