export type { Redactor } from "./redactor.ts";
