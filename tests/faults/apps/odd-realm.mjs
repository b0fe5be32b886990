// Ends twenty steps of the session "s" after it has changed what the language brings, as its argument names it.
import { startThoughtFlow } from "@thoughtflow/node";
import { withRun, withStep } from "@thoughtflow/tracing";

const [what, when] = process.argv.slice(2);

function fails() {
  throw new Error("not here");
}

const changes = {
  nothing: () => {},
  "JSON.parse throws": () => {
    JSON.parse = fails;
  },
  "JSON.parse gives something else": () => {
    JSON.parse = () => ({ n: 1 });
  },
  "JSON.stringify throws": () => {
    JSON.stringify = fails;
  },
  "JSON.stringify gives something else": () => {
    JSON.stringify = () => "[]";
  },
  "no JSON": () => {
    globalThis.JSON = undefined;
  },
  "lists have a toJSON": () => {
    Array.prototype.toJSON = function () {
      return `${this.length} items`;
    };
  },
  "objects have a toJSON": () => {
    Object.prototype.toJSON = () => 1;
  },
  "objects have a member that is listed": () => {
    Object.prototype.each = () => {};
    Array.prototype.last = () => {};
  },
  "prototypes are frozen": () => {
    for (const { prototype } of [Object, Array, Function, Error, TypeError, Map, Set, Promise])
      Object.freeze(prototype);
  },
  "Array.map gives nothing": () => {
    Array.prototype.map = () => [];
  },
  "expressions match nothing": () => {
    RegExp.prototype.exec = () => null;
  },
  "another Promise": () => {
    globalThis.Promise = class extends Promise {};
  },
  "Math.random is seeded": () => {
    Math.random = () => 0;
  },
  "timers do nothing": () => {
    for (const name of ["setTimeout", "setInterval", "setImmediate", "queueMicrotask"])
      globalThis[name] = () => 0;
  },
  "Date.now throws": () => {
    Date.now = fails;
  },
};

/** `no Map.prototype.get` takes that away. */
function takeAway() {
  const [, path] = what.split(" ");
  const names = path.split(".");
  const last = names.pop();
  let owner = globalThis;
  for (const name of names) owner = owner[name];
  delete owner[last];
}

const change = changes[what] ?? takeAway;
if (when === "before") change();
const flow = startThoughtFlow();
if (when === "after") change();
await withRun({ session: "s" }, async () => {
  for (let n = 0; n < 20; n++)
    await withStep({ label: "node", id: `n${n}` }, () => ({ list: [n] }));
});
if (when === "flushed") {
  change();
  await flow.flush();
}
console.log("done");
