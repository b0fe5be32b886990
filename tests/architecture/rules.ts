import { floorOf } from "./floors.ts";
import { importsOf, type SourceFile } from "./packages.ts";

/** Something that no published source file may do. */
export interface Rule {
  readonly title: string;
  readonly appliesTo: (file: SourceFile) => boolean;
  /** What breaks the rule, as it stands in the code; empty when nothing does. */
  readonly find: (code: string) => readonly string[];
  /** A piece of code that breaks it, so that the rule itself is tested. */
  readonly broken: string;
}

const isPure = (file: SourceFile): boolean =>
  floorOf(file.package) <= 2 && file.package !== "testkit";

const isIndex = (file: SourceFile): boolean => file.path.endsWith("/src/index.ts");

function all(pattern: RegExp): (code: string) => readonly string[] {
  return (code) => [...code.matchAll(pattern)].map(([found]) => found);
}

function runTimeImports(pattern: RegExp): (code: string) => readonly string[] {
  return (code) =>
    importsOf(code)
      .filter(({ atRunTime, from }) => atRunTime && pattern.test(from))
      .map(({ from }) => from);
}

export const RULES: readonly Rule[] = [
  {
    title: "only node and cli read the environment and the command line",
    appliesTo: (file) => !["node", "cli"].includes(file.package),
    find: all(/\bprocess(\?)?(\.|\[["'])(env|argv|execArgv)\b|["'](node:)?process["']/g),
    broken: `const dir = process.env["THOUGHTFLOW_DIR"];`,
  },
  {
    title: "floors 0 to 2 import nothing of Node but its hashes",
    appliesTo: isPure,
    find: runTimeImports(/^(node:(?!crypto$)|fs|path|os|http|child_process)/),
    broken: `import { readFile } from "node:fs/promises";`,
  },
  {
    title: "floors 0 to 2 have no clock, no chance, no timers, no network, no console",
    appliesTo: isPure,
    find: all(
      /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\brandomUUID\(|\brandomBytes\(|\bperformance\.|\bset(Timeout|Interval|Immediate)\(|(?<![.\w])fetch\(|\bconsole\./g,
    ),
    broken: "const now = Date.now();",
  },
  {
    title: "floors 0 to 2 know OpenTelemetry by its names only",
    appliesTo: isPure,
    find: runTimeImports(/^@opentelemetry\/(?!semantic-conventions$)/),
    broken: `import { trace } from "@opentelemetry/api";`,
  },
  {
    title: "only node loads an OpenTelemetry SDK",
    appliesTo: (file) => file.package !== "node",
    find: runTimeImports(/^@opentelemetry\/(sdk-|exporter-|otlp-|resources|core|auto-)/),
    broken: `import { NodeTracerProvider } from "@opentelemetry/sdk-trace-node";`,
  },
  {
    title: "attribute names are written in semconv alone, those of other emitters in their tables",
    appliesTo: (file) =>
      file.package !== "semconv" && !file.path.includes("packages/dialects/src/spans/"),
    find: (code) =>
      all(/["'`](gen_ai|thoughtflow)(\.\w+)+["'`]/g)(code).filter((name) => !/\.v\d+.$/.test(name)),
    broken: `span.setAttribute("gen_ai.request.model", model);`,
  },
  {
    title: "an index is a table of contents",
    appliesTo: isIndex,
    find: (code) => {
      const rest = code.replaceAll(/^export (type )?\{[^}]*\} from "[^"]+";$/gm, "").trim();
      return rest === "" || rest === "export {};" ? [] : [rest];
    },
    broken: `export * from "./step.ts";`,
  },
  {
    title: "nothing published uses the testkit",
    appliesTo: (file) => file.package !== "testkit",
    find: (code) =>
      importsOf(code)
        .map(({ from }) => from)
        .filter((from) => from === "@thoughtflow/testkit"),
    broken: `import type { ReplayServer } from "@thoughtflow/testkit";`,
  },
];
