// A process that feeds a store or derives from it until it is killed, or told to end: `worker.ts write|derive URL FIRST LAST`.
// Says on stdout what was acknowledged.
import { appendRecords, deriveSessions, openStore } from "@thoughtflow/store";
import { weatherRun } from "./stories.ts";

const [what = "", url = "", first = "1", last = "1"] = process.argv.slice(2);
const store = await openStore(url);
let isTold = false;
process.once("message", () => {
  isTold = true;
});
process.send?.("ready");

do {
  if (what === "derive") await deriveSessions(store);
  for (let session = Number(first); what === "write" && session <= Number(last); session++) {
    await appendRecords(store, weatherRun(String(session), `user-${session % 7}`));
    process.send?.(session);
  }
  // Lets a message in.
  await new Promise((resolve) => setImmediate(resolve));
} while (!isTold);
await store.close();
process.disconnect?.();
