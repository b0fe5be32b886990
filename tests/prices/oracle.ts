// Compares our prices with those of genai-prices' own test data: `npm run test:prices -- usages.json`.
import { readFileSync } from "node:fs";
import { comparePrices } from "./price-problems.ts";

const [file] = process.argv.slice(2);
if (file === undefined) {
  console.error("name the usages.json of github.com/pydantic/genai-prices (tests/dataset)");
  process.exit(3);
}

const { compared, fromBodies, problems } = comparePrices(JSON.parse(readFileSync(file, "utf8")));
for (const problem of problems) console.log(problem);
console.log(
  `${compared} prices of normalised usage, ${fromBodies} from bodies, ${problems.length} differ`,
);
process.exit(problems.length === 0 ? 0 : 1);
