import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { SERVER_OPTION_NAMES } from "@thoughtflow/server";
import type { CommandArguments } from "./command.ts";
import { badArguments } from "./command-error.ts";
import type { CommandIo } from "./command-io.ts";
import { nearestMatch } from "./nearest-match.ts";

/**
 * What `serve` is told, by the names of its options: on the command line, else by `THOUGHTFLOW_SERVER_*`, else in the
 * file. Values are not checked yet.
 *
 * @throws CommandError for a file that can't be read, or holds what is no setting
 */
export async function serverSettings(
  args: CommandArguments,
  io: CommandIo,
): Promise<Readonly<Record<string, unknown>>> {
  const path = args.text("config") || io.env["THOUGHTFLOW_SERVER_CONFIG"];
  const fromFile = path === undefined ? {} : await settingsIn(resolve(io.cwd, path));
  const settings = {
    dir: "thoughtflow",
    ...fromFile,
    ...settingsFromEnvironment(io),
    ...settingsFromArguments(args),
  };
  const { dir } = settings as { readonly dir: unknown };
  return typeof dir === "string" && dir !== ""
    ? { ...settings, dir: resolve(io.cwd, dir) }
    : settings;
}

async function settingsIn(path: string): Promise<object> {
  const settings = await objectIn(path);
  for (const name of Object.keys(settings)) {
    if (SERVER_OPTION_NAMES.includes(name)) continue;
    const like = nearestMatch(name, SERVER_OPTION_NAMES);
    const hint =
      like === undefined ? `They are: ${SERVER_OPTION_NAMES.join(", ")}.` : `Did you mean ${like}?`;
    throw badArguments(`${path} has "${name}", which is no setting. ${hint}`);
  }
  return settings;
}

async function objectIn(path: string): Promise<object> {
  try {
    const settings: unknown = JSON.parse(await readFile(path, "utf8"));
    if (typeof settings === "object" && settings !== null && !Array.isArray(settings))
      return settings;
    throw new Error("an object is expected");
  } catch (error) {
    throw badArguments(`${path} can't be read as settings: ${(error as Error).message}`);
  }
}

function settingsFromEnvironment({ env }: CommandIo): object {
  const given = SERVER_OPTION_NAMES.flatMap((name) => {
    const text = env[variableOf(name)];
    return text === undefined || text === "" ? [] : [[name, settingOf(name, text)] as const];
  });
  const dir = env["THOUGHTFLOW_DIR"];
  return { ...(dir && { dir }), ...Object.fromEntries(given) };
}

/** `maxBodyBytes` is `THOUGHTFLOW_SERVER_MAX_BODY_BYTES`. */
function variableOf(name: string): string {
  return `THOUGHTFLOW_SERVER_${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

function settingsFromArguments(args: CommandArguments): object {
  const dir = args.text("dir");
  const port = args.text("port");
  const host = args.text("host");
  const hosts = args.text("allow-host");
  const workers = args.text("workers");
  return {
    ...(dir && { dir }),
    ...(port !== undefined && { port: settingOf("port", port) }),
    ...(host !== undefined && { host }),
    ...(workers !== undefined && { workers: settingOf("workers", workers) }),
    ...(hosts !== undefined && { allowedHosts: settingOf("allowedHosts", hosts) }),
    ...(args.has("allow-remote") && { allowRemote: true }),
    ...(args.has("redact") && { redact: true }),
  };
}

/** Numbers and switches are written as in JSON; what is none of them is a text, and told to be wrong by who checks it. */
function settingOf(name: string, text: string): unknown {
  if (name === "allowedHosts") return text.split(",").map((one) => one.trim());
  if (name === "dir" || name === "token" || name === "host") return text;
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  return text === "true" || text === "false" ? text === "true" : text;
}
