/** The floors of the house, lowest first: a package uses only packages of lower floors. Later packages have their place already. */
const FLOORS: readonly (readonly string[])[] = [
  ["schema", "semconv"],
  ["redaction", "dialects", "workflow", "thoughts", "provenance", "testkit"],
  ["assemble", "render", "otlp"],
  ["tracing", "journal"],
  ["adaptations", "processor", "otlp-exporter", "instrumentation-openai", "think-aloud", "store"],
  ["node", "server", "mcp", "viewer"],
  ["cli"],
];

/** The floor a package (by folder name) stands on, -1 when it has none. */
export function floorOf(folder: string): number {
  return FLOORS.findIndex((floor) => floor.includes(folder));
}

/** The folder of one of our own packages, undefined for anybody else's. */
export function folderOf(packageName: string): string | undefined {
  if (packageName === "thoughtflow") return "cli";
  return /^@thoughtflow\/([^/]+)/.exec(packageName)?.[1];
}
