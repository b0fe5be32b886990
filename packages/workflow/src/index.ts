export type { Atom } from "./atoms.ts";
export { atomsOf } from "./atoms.ts";
export type {
  ObservedRequest,
  ObservedResponse,
  SessionInference,
  SessionMatch,
} from "./session-inference.ts";
