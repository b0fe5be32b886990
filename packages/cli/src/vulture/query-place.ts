import type { CommandArguments, CommandOption } from "../command.ts";
import { badArguments } from "../command-error.ts";
import { headersFrom } from "../header-option.ts";
import { QUERY_APIS, type QueryPlace } from "./backend.ts";

/** Where a backend is asked, on the command line. */
export const QUERY_OPTIONS: Readonly<Record<string, CommandOption>> = {
  query: {
    value: "URL",
    summary:
      "where that is read; http://localhost:16686 for jaeger, http://localhost:3200 for tempo",
  },
  header: {
    value: "H",
    summary: 'one more header for it, "Authorization: Bearer …" or "X-Scope-OrgID: …"',
  },
};

/** Where the backend of that name is asked; `undefined` for one that can only be written to. */
export function queryPlace(
  backend: string | undefined,
  args: CommandArguments,
): QueryPlace | undefined {
  if (backend !== "jaeger" && backend !== "tempo") return undefined;
  const api = QUERY_APIS[backend];
  const url = args.text("query") ?? api.defaultUrl;
  if (!URL.canParse(url) || !/^https?:/i.test(url))
    throw badArguments(`--query takes the address of a query API, not "${url}".`);
  return { backend, api, url, headers: headersFrom(args.text("header")) };
}
