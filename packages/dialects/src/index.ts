export type { Dialect, DialectAttributes, StreamFold } from "./dialect.ts";
