import { databaseKind, StoreError } from "@thoughtflow/store";
import { badArguments } from "../command-error.ts";

/** A database may be away for a while; an address that can be none never becomes one. */
export function requireStoreAddress(url: string): void {
  try {
    databaseKind(url);
  } catch (error) {
    throw error instanceof StoreError ? badArguments(error.message) : error;
  }
}
