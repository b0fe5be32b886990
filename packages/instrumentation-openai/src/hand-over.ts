/** The module that defines the class: `client` since openai 5, `index` in openai 4. */
const DEFINES_OPENAI = /[/\\]openai[/\\](?:client|index)\.m?js$/;

/** Elsewhere `index` only passes the class on and has no such variable. */
const HAND_OVER =
  '\n;try{if(typeof OpenAI==="function")globalThis[Symbol.for("thoughtflow.openai.v1")]?.(OpenAI)}catch{}\n';

/**
 * The source of openai's defining module with a line at its end that hands over the class; `undefined` for any
 * other module, and for source that is not there yet.
 */
export function withHandOver(urlOrFile: string, source: unknown): string | undefined {
  if (!DEFINES_OPENAI.test(urlOrFile)) return undefined;
  const text = source instanceof Uint8Array ? new TextDecoder().decode(source) : source;
  // Node 20 runs `--require` in its loader thread too, and so has two of us in a row.
  return typeof text !== "string" || text.endsWith(HAND_OVER) ? undefined : text + HAND_OVER;
}
