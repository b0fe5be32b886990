export { assemble } from "./assemble.ts";
