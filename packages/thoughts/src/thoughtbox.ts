// The session format of Thoughtbox, in and out

export { type PlacedEntry, placeThoughts } from "./thoughtbox/place-thoughts.ts";
export {
  type ReadThoughtbox,
  readThoughtbox,
  type ThoughtboxSession,
} from "./thoughtbox/read-thoughtbox.ts";
export { recordsFromThoughtbox } from "./thoughtbox/records-from-thoughtbox.ts";
export { thoughtboxFromSession } from "./thoughtbox/thoughtbox-from-session.ts";
