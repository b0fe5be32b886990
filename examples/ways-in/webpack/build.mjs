import { promisify } from "node:util";
import webpack from "webpack";

const stats = await promisify(webpack)({
  mode: "none",
  target: "node",
  entry: "./app.mjs",
  output: { filename: "app.mjs", module: true },
  experiments: { outputModule: true },
  externals: [/^@thoughtflow\//],
  externalsType: "module",
});
if (stats.hasErrors()) throw new Error(stats.toString());
