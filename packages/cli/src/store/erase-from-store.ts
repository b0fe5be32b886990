import { existsSync } from "node:fs";
import { embeddedStore } from "./embedded-store.ts";

/** Takes sessions out of the store that stands in a flow directory, where there is one. */
export async function eraseFromStore(
  dir: string,
  ids: ReadonlySet<string>,
  isForever: boolean,
): Promise<void> {
  const path = embeddedStore(dir);
  if (!existsSync(path)) return;
  const { forgetSessions, openStore } = await import("@thoughtflow/store");
  const store = await openStore(path);
  try {
    await forgetSessions(store, [...ids], isForever);
  } finally {
    await store.close();
  }
}
