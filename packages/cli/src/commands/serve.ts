import { createFlowServer, resolveServerOptions, ServerOptionsError } from "@thoughtflow/server";
import type { Command } from "../command.ts";
import { badArguments, CommandError } from "../command-error.ts";
import { ExitCode } from "../exit-code.ts";
import { DIR_OPTION, flowDirectory } from "../flow-directory.ts";
import { useOwnPrices } from "../own-prices.ts";
import { serverSettings } from "../server-settings.ts";
import { shownPath } from "../shown-path.ts";

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
    const server = createFlowServer(config, {
      onFailure: (problem, what) =>
        io.say(`ThoughtFlow could not write ${what}: ${textOf(problem)}`),
    });
    const { url } = await server.listen().catch((error: unknown) => {
      throw new CommandError(`It can't listen on ${config.host}:${config.port}: ${textOf(error)}`);
    });
    io.out(`OTLP/HTTP at ${url}/v1/traces, files in ${shownPath(config.dir, io.cwd)}\n`);
    io.out(`Sessions at ${url}/#token=${config.token}\n`);
    await io.untilStopped();
    await server.close();
    const { spans, sessions } = server.counters;
    io.say(`${spans} spans taken, ${sessions.documentsWritten} documents written.`);
    return ExitCode.ok;
  },
};

function resolved(
  settings: Readonly<Record<string, unknown>>,
): ReturnType<typeof resolveServerOptions> {
  try {
    return resolveServerOptions(settings);
  } catch (error) {
    if (error instanceof ServerOptionsError) throw badArguments(error.message);
    throw error;
  }
}

function textOf(problem: unknown): string {
  return problem instanceof Error ? problem.message : String(problem);
}
