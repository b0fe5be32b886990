/** The modules of openai that define what is observed, and under which name. Elsewhere it is only passed on. */
const DEFINES: readonly (readonly [file: RegExp, name: string])[] = [
  // `client` since openai 5, `index` in openai 4.
  [/[/\\]openai[/\\](?:client|index)\.m?js$/, "OpenAI"],
  [/[/\\]openai[/\\]helpers[/\\]responses-tool-runner\.m?js$/, "ResponsesToolRunner"],
  [/[/\\]openai[/\\]helpers[/\\]decisions-tool-runner\.m?js$/, "DecisionsToolRunner"],
  [/[/\\]openai[/\\]resources[/\\](?:beta[/\\])?responses[/\\]ws\.m?js$/, "ResponsesWS"],
  [/[/\\]openai[/\\]resources[/\\]live[/\\]ws\.m?js$/, "LiveWS"],
  [/[/\\]openai[/\\]resources[/\\]live[/\\]forks[/\\]ws\.m?js$/, "ForksWS"],
  [/[/\\]openai[/\\]resources[/\\]live[/\\]sideband[/\\]ws\.m?js$/, "SidebandWS"],
  [/[/\\]openai[/\\]realtime[/\\]translations[/\\]ws\.m?js$/, "OpenAIRealtimeTranslationWS"],
  [/[/\\]openai[/\\](?:beta[/\\])?realtime[/\\]ws\.m?js$/, "OpenAIRealtimeWS"],
  [/[/\\]openai[/\\](?:beta[/\\])?realtime[/\\]websocket\.m?js$/, "OpenAIRealtimeWebSocket"],
];

/** What their paths end in: asked first, because every module of an app comes here. */
const NAMES = /[/\\](?:client|index|ws|websocket|[a-z]+-tool-runner)\.m?js$/;

/** Where an `index` only passes the class on, it has no such variable. */
function handOver(name: string): string {
  return `\n;try{if(typeof ${name}==="function")globalThis[Symbol.for("thoughtflow.openai.v1")]?.(${name})}catch{}\n`;
}

/**
 * The source of a module of openai that defines a class to observe, with a line at its end that hands over the class;
 * `undefined` for any other module, and for source that is not there yet.
 */
export function withHandOver(urlOrFile: string, source: unknown): string | undefined {
  if (!NAMES.test(urlOrFile.slice(-30))) return undefined;
  const name = DEFINES.find(([file]) => file.test(urlOrFile))?.[1];
  if (name === undefined) return undefined;
  const text = source instanceof Uint8Array ? new TextDecoder().decode(source) : source;
  // Node 20 runs `--require` in its loader thread too, and so has two of us in a row.
  return typeof text !== "string" || text.endsWith(handOver(name))
    ? undefined
    : text + handOver(name);
}
