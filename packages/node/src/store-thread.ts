/** What runs in the thread that `followIntoStore` starts: at each message what is new goes from the files into the store. */
import { parentPort, workerData } from "node:worker_threads";
import type * as Prices from "@thoughtflow/processor/prices";
import type { Store } from "@thoughtflow/store";
import type { PassAnswer, StoreTask } from "./store-follower.ts";

const { url, dir, prices }: StoreTask = workerData;
let opened: Promise<Store> | undefined;
let last: Promise<void> = Promise.resolve();

async function open(): Promise<Store> {
  const { openStore } = await storePackage();
  if (prices === undefined) return await openStore(url);
  const { readPriceFile }: typeof Prices = await import("@thoughtflow/processor/prices");
  return await openStore(url, { prices: readPriceFile(prices) });
}

async function storePackage(): Promise<typeof import("@thoughtflow/store")> {
  try {
    return await import("@thoughtflow/store");
  } catch (cause) {
    throw new Error("it needs the package @thoughtflow/store: npm i @thoughtflow/store.", {
      cause,
    });
  }
}

async function pass(): Promise<PassAnswer> {
  try {
    const { loadFlows } = await storePackage();
    opened ??= open();
    await loadFlows(await opened, dir);
    return { problem: undefined };
  } catch (error) {
    // A database that was down is asked anew.
    opened = undefined;
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

parentPort?.on("message", () => {
  last = last.then(async () => parentPort?.postMessage(await pass()));
});
