import { openStore, shownUrl, unloadedFlows } from "@thoughtflow/store";
import { namedStore } from "../store/named-store.ts";
import type { Examination } from "./finding.ts";

const subject = "store";

/** Whether the store that the environment names takes what the files say. */
export const examineStore: Examination = async (io, dir) => {
  const url = namedStore(undefined, io);
  if (url === undefined) return [];
  const shown = shownUrl(url);
  try {
    const store = await openStore(url, { readOnly: true });
    const missing = await unloadedFlows(store, dir).finally(() => store.close());
    return [
      missing === 0
        ? { subject, status: "ok", message: `${shown} has all that the files here say` }
        : {
            subject,
            status: "warning",
            message: `${shown} lacks what ${missing} files here say: thoughtflow store load`,
          },
    ];
  } catch (error) {
    return [{ subject, status: "failure", message: (error as Error).message }];
  }
};
