import type { Command, CommandArguments } from "../command.ts";
import { badArguments, CommandError } from "../command-error.ts";
import type { CommandIo } from "../command-io.ts";
import { ExitCode } from "../exit-code.ts";
import { fileProblem } from "../file-problem.ts";
import { DIR_OPTION, flowDirectory } from "../flow-directory.ts";
import { FORMAT_OPTION } from "../format-option.ts";
import { jsonText } from "../json-text.ts";
import { NO_CREDENTIALS, otlpDestination } from "../send-spans.ts";
import { readBack, sendTrace } from "../vulture/backend.ts";
import { writeAndReadFile } from "../vulture/flow-file.ts";
import { QUERY_OPTIONS, queryPlace } from "../vulture/query-place.ts";
import type { Trouble } from "../vulture/trouble.ts";
import { TEXT_BYTES, type WrittenTrace, writtenTrace } from "../vulture/written-trace.ts";

const BACKENDS = ["file", "jaeger", "tempo", "otlp"];

const WAIT_SECONDS = 30;
const LONGEST_WAIT_SECONDS = 86_400;
/** Receivers take requests of 64 MiB at most. */
const MOST_TEXT_BYTES = 32 * 1024 * 1024;

export const vulture: Command = {
  operands: "",
  count: { min: 0, max: 0 },
  options: {
    backend: {
      value: "NAME",
      choices: BACKENDS,
      summary: "file (the flow directory), jaeger, tempo, or otlp, which is only written to",
    },
    endpoint: {
      value: "URL",
      summary:
        "where the trace is sent; else OTEL_EXPORTER_OTLP_ENDPOINT, else http://localhost:4318",
    },
    ...QUERY_OPTIONS,
    "text-bytes": { value: "N", summary: `how long its text is, ${TEXT_BYTES} by default` },
    wait: { value: "SECONDS", summary: `how long to look for it, ${WAIT_SECONDS} by default` },
    format: FORMAT_OPTION,
    dir: DIR_OPTION,
  },
  async run(args, io) {
    const backend = args.text("backend") ?? "file";
    const trace = writtenTrace(count(args, "text-bytes", TEXT_BYTES, MOST_TEXT_BYTES));
    const troubles = await troublesWith(backend, trace, args, io);
    const format = args.text("format") ?? "pretty";
    if (format !== "pretty") {
      io.out(jsonText({ backend, trace_id: trace.traceId, troubles }, format));
    } else {
      for (const { kind, message } of troubles) io.out(`${kind}: ${message}\n`);
      const verb = backend === "otlp" ? "taken" : "read back as it was written";
      if (troubles.length === 0) io.out(`ok: ${backend}, trace ${trace.traceId} was ${verb}\n`);
    }
    return exitCodeFor(troubles);
  },
};

async function troublesWith(
  backend: string,
  trace: WrittenTrace,
  args: CommandArguments,
  io: CommandIo,
): Promise<readonly Trouble[]> {
  if (backend === "file") {
    const dir = flowDirectory(args, io);
    return writeAndReadFile(trace, dir).catch((error: unknown) => {
      throw new CommandError(`${dir} can't be written: ${fileProblem(error, dir)}`);
    });
  }
  const waitMillis = count(args, "wait", WAIT_SECONDS, LONGEST_WAIT_SECONDS) * 1_000;
  const place = queryPlace(backend, args);
  const endpoint = args.text("endpoint");
  const destination = await otlpDestination(endpoint === undefined ? {} : { endpoint }, io);
  const troubles = await sendTrace(trace, destination);
  if (troubles.length > 0 || place === undefined) return troubles;
  return readBack(trace, place, waitMillis);
}

function count(args: CommandArguments, name: string, otherwise: number, most: number): number {
  const text = args.text(name);
  if (text === undefined) return otherwise;
  const number = Number(text);
  if (Number.isSafeInteger(number) && number >= 0 && number <= most) return number;
  throw badArguments(`--${name} takes a whole number up to ${most}, not "${text}".`);
}

function exitCodeFor(troubles: readonly Trouble[]): number {
  if (troubles.length === 0) return ExitCode.ok;
  const failed = troubles.filter(({ kind }) => kind === "requestfailed");
  if (failed.length === 0) return ExitCode.unverified;
  const isForbidden = failed.some(({ message }) => NO_CREDENTIALS.test(message));
  return isForbidden ? ExitCode.authentication : ExitCode.network;
}
