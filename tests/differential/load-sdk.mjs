import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/**
 * The openai of a directory as an app of this kind gets it: its ES modules, or its CommonJS. `part` loads one of its
 * other entries, such as `helpers/zod`.
 */
export async function loadSdk(directory, kind) {
  const require = createRequire(join(directory, "package.json"));
  const load =
    kind === "cjs"
      ? async (path) => require(join(directory, `${path}.js`))
      : (path) => import(pathToFileURL(join(directory, `${path}.mjs`)).href);
  const loaded = await load("index");
  const { version } = require(join(directory, "package.json"));
  return {
    version,
    module: loaded,
    OpenAI: loaded.OpenAI,
    AzureOpenAI: loaded.AzureOpenAI,
    BedrockOpenAI: loaded.BedrockOpenAI,
    Stream: (await load("streaming")).Stream,
    APIPromise: (await load(version.startsWith("4.") ? "core" : "api-promise")).APIPromise,
    part: load,
    /** A package that stands beside this openai. */
    beside: (name) => require(name),
  };
}
