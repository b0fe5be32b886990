// Runs a command of the workspace on a machine that may have nothing but Node and npm:
//
//   node scripts/with-workspace.mjs <command> [arguments]
//
// Installs the dependencies first when they are missing or older than the lockfile, then runs the
// command with node_modules/.bin first on PATH, where the workspace's own Node 24 lies, and ends as
// the command ends. It needs no dependency and no newer syntax than Node 14's, so that it can say in
// plain words what is missing.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const OLDEST_NODE = [20, 19];
/** Without the workspace's own Node the one at hand runs the tools, and sources without a build. */
const OLDEST_NODE_FOR_TOOLS = [22, 15];

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const bin = join(root, "node_modules", ".bin");
const onWindows = process.platform === "win32";

function fail(message) {
  console.error(`\n${message}\n`);
  process.exit(1);
}

function isOlder(version, [oldestMajor, oldestMinor]) {
  const [major, minor] = version.split(".").map(Number);
  return major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
}

function checkNode() {
  if (isOlder(process.versions.node, OLDEST_NODE)) {
    fail(
      `ThoughtFlow needs Node ${OLDEST_NODE.join(".")} or newer, and this is Node ${process.versions.node}.\n` +
        "Install a newer one (https://nodejs.org), then run the same command again.",
    );
  }
}

/** Changes with every dependency: what the installed packages must match. */
function lockfileHash() {
  return createHash("sha256")
    .update(readFileSync(join(root, "pnpm-lock.yaml")))
    .digest("hex");
}

/** The pinned pnpm as a command line: the one on PATH where it is that version, else npm fetches it. */
function pnpmCommand() {
  const { pnpm } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).config;
  const found = spawnSync("pnpm", ["--version"], { encoding: "utf8", cwd: root, shell: onWindows });
  return found.stdout && found.stdout.trim() === pnpm ? ["pnpm"] : ["npx", "-y", `pnpm@${pnpm}`];
}

/** A silent npm script makes the npm inside it silent too, errors included. */
const audibly = { ...process.env, npm_config_loglevel: "error" };

/** Asks npm, which knows about proxies and credentials, for something small; what it complains of goes to stderr. */
function registryAnswers() {
  const asked = spawnSync("npm", ["view", "pnpm", "version", "--fetch-retries=1"], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
    shell: onWindows,
    env: {
      ...audibly,
      npm_config_fetch_retry_mintimeout: "2000",
      npm_config_fetch_timeout: "20000",
    },
  });
  if (asked.error) fail("npm is missing: install it (it comes with Node), then run again.");
  return asked.status === 0;
}

function install() {
  const stamp = join(root, "node_modules", ".installed-lockfile");
  const wanted = lockfileHash();
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;

  console.error("Installing what this needs (first run, or the lockfile has changed) …");
  const online = registryAnswers();
  if (!online) console.error("The package registry doesn't answer; trying with what is cached …");
  const [command, ...args] = [
    ...pnpmCommand(),
    ...["install", "--frozen-lockfile", "--config.confirmModulesPurge=false"],
    ...(online ? [] : ["--offline"]),
  ];
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: ["ignore", process.stderr, "inherit"],
    shell: onWindows,
    env: online ? audibly : { ...audibly, npm_config_offline: "true" },
  });
  if (status !== 0 && !online) {
    fail(
      "The package registry could not be reached, and without it nothing can be installed.\n" +
        "Check the network, the proxy and `npm config get registry`, then run the same command again.",
    );
  }
  if (status !== 0) fail("The dependencies could not be installed; the lines above say why.");
  writeFileSync(stamp, wanted);
}

function checkTools() {
  const ownNode = join(bin, "node");
  if (!existsSync(ownNode)) {
    if (!isOlder(process.versions.node, OLDEST_NODE_FOR_TOOLS)) return;
    fail(
      `There is no ready-made Node 24 for ${process.platform} ${process.arch} among the dependencies, so your own\n` +
        `runs the tools: it must be ${OLDEST_NODE_FOR_TOOLS.join(".")} or newer, and is ${process.versions.node}.`,
    );
  }
}

/** Runs the command in our place: same streams, same signals, same end. */
function become([command, ...args]) {
  const child = spawn(command, args, {
    stdio: "inherit",
    shell: onWindows,
    env: { ...process.env, PATH: bin + delimiter + process.env.PATH },
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => child.kill(signal));
  }
  child.on("error", (error) => fail(`${command} could not be started: ${error.message}`));
  child.on("exit", (code, signal) => {
    process.exit(code === null ? 128 + constants.signals[signal] : code);
  });
}

const [command, ...args] = process.argv.slice(2);
if (command === undefined) fail("Usage: node scripts/with-workspace.mjs <command> [arguments]");
checkNode();
install();
checkTools();
become(command === "pnpm" ? [...pnpmCommand(), ...args] : [command, ...args]);
