import { guarded, warnUnobserved } from "./degradation.ts";

/** The majors this instrumentation is tested with; others work where they are built alike. */
const TESTED_MAJORS: ReadonlySet<number> = new Set([4, 5, 6, 7]);

const seen = new WeakSet<object>();

/** Warns once when a client says in its user agent (`OpenAI/JS 8.0.0`) that nobody has tried its version. */
export function checkVersion(client: unknown): void {
  if (typeof client !== "object" || client === null) return;
  const sdk: object = client.constructor;
  if (seen.has(sdk)) return;
  seen.add(sdk);
  guarded("reading openai's version", () => {
    const { getUserAgent } = client as { readonly getUserAgent?: () => unknown };
    const version = /\/JS (\d+)\.[\w.-]+/.exec(String(getUserAgent?.call(client)));
    if (version === null || TESTED_MAJORS.has(Number(version[1]))) return;
    warnUnobserved(
      "THOUGHTFLOW_OPENAI_VERSION",
      `ThoughtFlow has not been tried with openai ${version[0].slice("/JS ".length)}: it observes what it recognises.`,
    );
  });
}
