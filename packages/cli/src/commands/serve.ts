import { followIntoStore, type StoreFollower } from "@thoughtflow/node/store-follower";
import {
  createFlowServer,
  type FlowServerHooks,
  resolveServerOptions,
  type ServerConfig,
  ServerOptionsError,
} from "@thoughtflow/server";
import { openStore, type Store, StoreError, shownUrl } from "@thoughtflow/store";
import type { Command, CommandArguments } from "../command.ts";
import { badArguments, CommandError } from "../command-error.ts";
import type { CommandIo } from "../command-io.ts";
import { ExitCode } from "../exit-code.ts";
import { DIR_OPTION, flowDirectory } from "../flow-directory.ts";
import { useOwnPrices } from "../own-prices.ts";
import { serverSettings } from "../server-settings.ts";
import { shownPath } from "../shown-path.ts";
import { namedStore } from "../store/named-store.ts";
import { createStoreIntake } from "../store/store-intake.ts";

export const serve: Command = {
  operands: "",
  count: { min: 0, max: 0 },
  options: {
    port: { value: "N", summary: "default 4318; 0: any that is free" },
    host: { value: "ADDRESS", summary: "default 127.0.0.1, which only this machine reaches" },
    "allow-remote": {
      summary: "listen where others reach it; needs a token in THOUGHTFLOW_SERVER_TOKEN",
    },
    "allow-host": {
      value: "NAMES",
      summary: "names besides localhost under which requests may come: receiver,10.0.0.7",
    },
    redact: {
      summary:
        "mask what looks like a key or token; else that is left to who sends, or a Collector",
    },
    store: {
      value: "URL",
      summary: "a store that takes in what comes, too; default THOUGHTFLOW_STORE_URL, else none",
    },
    stateless: {
      summary: "keep no files: 200 means that the spans are in the store; others may serve it, too",
    },
    config: { value: "FILE", summary: "JSON with these and further settings, by name" },
    "print-config": { summary: "print what it would go by, and end" },
    dir: DIR_OPTION,
  },
  async run(args, io) {
    const config = await serverSettings(args, io).then((settings) =>
      resolved({ ...settings, dir: flowDirectory(args, io) }),
    );
    if (args.has("print-config")) {
      io.out(`${JSON.stringify({ ...config, token: "[not shown]" }, null, 2)}\n`);
      return ExitCode.ok;
    }
    await useOwnPrices(io);
    const feed = await storeFeed(args, io, config);
    const server = createFlowServer(config, {
      onFailure: sayFailure(io),
      ...feed?.hooks,
    });
    const { url } = await server.listen().catch((error: unknown) => {
      throw new CommandError(`It can't listen on ${config.host}:${config.port}: ${textOf(error)}`);
    });
    io.outliveReaders();
    const files = feed?.isStateless === true ? "" : `, files in ${shownPath(config.dir, io.cwd)}`;
    io.out(`OTLP/HTTP at ${url}/v1/traces${files}${feed ? `, store ${feed.shown}` : ""}\n`);
    if (feed?.isStateless !== true) io.out(`Sessions at ${url}/#token=${config.token}\n`);
    await io.untilStopped();
    await server.close();
    await feed?.close();
    const { spans, sessions } = server.counters;
    const written = sessions ? `, ${sessions.documentsWritten} documents written` : "";
    io.say(`${spans} spans taken${written}.`);
    return ExitCode.ok;
  },
};

/** How what comes gets into a store. */
interface StoreFeed {
  readonly isStateless: boolean;
  readonly shown: string;
  readonly hooks: Pick<FlowServerHooks, "intake">;
  close(): Promise<void>;
}

/** Without files tables follow sooner: nothing else tells what is there. */
const STATELESS_EVERY_MS = 1000;

async function storeFeed(
  args: CommandArguments,
  io: CommandIo,
  { dir }: ServerConfig,
): Promise<StoreFeed | undefined> {
  const url = namedStore(args.text("store"), io);
  const isStateless = args.has("stateless");
  if (url === undefined) {
    if (isStateless) throw badArguments("--stateless needs --store, or THOUGHTFLOW_STORE_URL.");
    return undefined;
  }
  const shown = shownUrl(url);
  const store = isStateless ? await opened(url) : undefined;
  const follower = follow(url, isStateless ? undefined : dir, io);
  return {
    isStateless,
    shown,
    hooks: store === undefined ? {} : { intake: createStoreIntake(store, sayFailure(io)) },
    async close() {
      await follower.stop();
      await store?.close();
    },
  };
}

function follow(url: string, dir: string | undefined, io: CommandIo): StoreFollower {
  const prices = io.env["THOUGHTFLOW_PRICES"] || undefined;
  return followIntoStore(
    { url, dir, prices },
    {
      ...(dir === undefined && { everyMs: STATELESS_EVERY_MS }),
      onChange: (problem) =>
        io.say(
          problem === undefined
            ? `The store ${shownUrl(url)} takes records again.`
            : `The store takes nothing: ${problem}${dir === undefined ? "" : " What it lacks stays in the journal and is taken in later."}`,
        ),
    },
  );
}

async function opened(url: string): Promise<Store> {
  try {
    return await openStore(url);
  } catch (error) {
    throw error instanceof StoreError ? new CommandError(error.message) : error;
  }
}

function resolved(settings: Readonly<Record<string, unknown>>): ServerConfig {
  try {
    return resolveServerOptions(settings);
  } catch (error) {
    if (error instanceof ServerOptionsError) throw badArguments(error.message);
    throw error;
  }
}

function sayFailure(io: CommandIo): (problem: unknown, what: string) => void {
  return (problem, what) => io.say(`ThoughtFlow could not write ${what}: ${textOf(problem)}`);
}

function textOf(problem: unknown): string {
  return problem instanceof Error ? problem.message : String(problem);
}
