import { plainText } from "@thoughtflow/render";
import type { Command } from "../command.ts";
import type { CommandIo } from "../command-io.ts";
import { examineApiCopies } from "../doctor/api-copies.ts";
import { examineBackend } from "../doctor/backend-keeps.ts";
import type { Examination, Finding } from "../doctor/finding.ts";
import { examineFlowDirectory } from "../doctor/flow-directory-writable.ts";
import { examineKilledProcesses } from "../doctor/killed-processes.ts";
import { examineNode } from "../doctor/node-version.ts";
import { examineOpenai } from "../doctor/openai-versions.ts";
import { examineOtelSetup } from "../doctor/otel-setup.ts";
import { examineRequests } from "../doctor/requests.ts";
import { examineSettings } from "../doctor/settings.ts";
import { examineSpools } from "../doctor/spools.ts";
import { examineStore } from "../doctor/store.ts";
import { examineThoughtFlow } from "../doctor/thoughtflow-installed.ts";
import { examineWriters } from "../doctor/writers.ts";
import { ExitCode } from "../exit-code.ts";
import { DIR_OPTION, namedFlowDirectory } from "../flow-directory.ts";
import { FORMAT_OPTION } from "../format-option.ts";
import { jsonText } from "../json-text.ts";
import { QUERY_APIS } from "../vulture/backend.ts";
import { QUERY_OPTIONS, queryPlace } from "../vulture/query-place.ts";

const EXAMINATIONS: readonly Examination[] = [
  examineNode,
  examineOpenai,
  examineThoughtFlow,
  examineApiCopies,
  examineOtelSetup,
  examineFlowDirectory,
  examineWriters,
  examineRequests,
  examineKilledProcesses,
  examineSpools,
  examineStore,
  examineSettings,
];

export const doctor: Command = {
  operands: "",
  count: { min: 0, max: 0 },
  options: {
    backend: {
      value: "NAME",
      choices: Object.keys(QUERY_APIS),
      summary: "sends a made-up trace to it, too, and asks for it: are links kept?",
    },
    ...QUERY_OPTIONS,
    format: FORMAT_OPTION,
    dir: DIR_OPTION,
  },
  async run(args, io) {
    const dir = namedFlowDirectory(args, io);
    const found: (readonly Finding[])[] = [];
    for (const examine of EXAMINATIONS) found.push(await examine(io, dir));
    const place = queryPlace(args.text("backend"), args);
    if (place !== undefined) found.push([await examineBackend(place, io)]);
    const findings = found.flat();
    const format = args.text("format") ?? "pretty";
    if (format === "pretty") for (const alike of found) sayFindings(alike, io);
    else io.out(jsonText(findings, format));
    const failed = findings.filter(({ status }) => status === "failure");
    if (failed.length === 0) return ExitCode.ok;
    return failed.every(({ subject }) => subject === "OTLP") ? ExitCode.network : ExitCode.failure;
  },
};

const MARKS = { ok: "ok     ", warning: "warning", failure: "FAILURE" } as const;

/** So many of a kind are told: all is to be on one screen. */
const MOST_OF_A_KIND = 5;

function sayFindings(alike: readonly Finding[], io: CommandIo): void {
  const more = alike.length - MOST_OF_A_KIND;
  for (const { subject, status, message } of more > 1 ? alike.slice(0, MOST_OF_A_KIND) : alike) {
    io.out(`${MARKS[status]}  ${plainText(`${subject}: ${message}`).replaceAll("\n", " ")}\n`);
  }
  if (more > 1) io.out(`         and ${more} more like that: --format json tells all\n`);
}
