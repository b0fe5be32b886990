export type { Atom } from "./atoms.ts";
export { atomsOf } from "./atoms.ts";
export { LruMap } from "./lru-map.ts";
export type {
  ContinuedCall,
  ObservedRequest,
  ObservedResponse,
  PlacedCall,
  SessionInference,
  SessionInferenceOptions,
  SessionMatch,
} from "./session-inference.ts";
export { createSessionInference } from "./session-inference.ts";
