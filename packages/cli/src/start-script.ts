/** What node needs to be given. */
export const HOOK = "--import @thoughtflow/node/register";

/**
 * The text of a `package.json` with the hook in its start script, all else as it was; `undefined` when there is
 * no start script that calls node, or the hook is there already.
 */
export function withHookInStartScript(
  text: string,
): { readonly text: string; readonly script: string } | undefined {
  const written = /"start"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(text)?.[1];
  if (written === undefined) return undefined;
  const old = (JSON.parse(text) as { scripts?: { start?: unknown } }).scripts?.start;
  if (typeof old !== "string" || JSON.parse(written) !== old) return undefined;
  if (old.includes("@thoughtflow/node/register")) return undefined;
  const script = old.replace(/(^|[\s;&|])node(?=\s)/, `$1node ${HOOK}`);
  if (script === old) return undefined;
  return { text: text.replace(written, () => JSON.stringify(script)), script };
}
