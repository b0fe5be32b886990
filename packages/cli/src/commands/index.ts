import type { CommandEntry } from "../command.ts";

/** Every command, in the order in which the help lists them. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: "demo",
    summary: "an app that only knows openai, seen by ThoughtFlow; needs no key and no network",
    load: async () => (await import("./demo.ts")).demo,
  },
  {
    name: "run",
    summary: "a Node program with ThoughtFlow in it: thoughtflow run -- node app.js",
    load: async () => (await import("./run.ts")).run,
  },
  {
    name: "list",
    summary: "the sessions of the flow directory, latest first",
    load: async () => (await import("./list.ts")).list,
  },
  {
    name: "show",
    summary: "one session as a tree, a conversation or JSON",
    load: async () => (await import("./show.ts")).show,
  },
  {
    name: "prompt",
    summary: "what was in a model call's prompt, by part: tokens, cost, what broke the cache",
    load: async () => (await import("./prompt.ts")).prompt,
  },
  {
    name: "why",
    summary: "what an answer, or any step, rests on, with what to doubt first",
    load: async () => (await import("./why.ts")).why,
  },
  {
    name: "impact",
    summary: "what rests on a snapshot, an adaptation, a prompt part or a step, over all sessions",
    load: async () => (await import("./impact.ts")).impact,
  },
  {
    name: "adapt",
    summary: "the guidance that agents may propose to change and people approve",
    load: async () => (await import("./adapt.ts")).adapt,
  },
  {
    name: "tail",
    summary: "the steps of running agents as they happen, until it is stopped",
    load: async () => (await import("./tail.ts")).tail,
  },
  {
    name: "convert",
    summary: "a session as a diagram, as text to paste, or as OTLP",
    load: async () => (await import("./convert.ts")).convert,
  },
  {
    name: "serve",
    summary:
      "an OTLP/HTTP receiver that writes the files of what other programs send, and serves them",
    load: async () => (await import("./serve.ts")).serve,
  },
  {
    name: "workflow",
    summary: "who talked to whom: agents, requests, spawns and every message once, as JSON",
    load: async () => (await import("./workflow.ts")).workflow,
  },
  {
    name: "import",
    summary: "files of other programs as sessions: thoughtflow import thoughtbox session.json",
    load: async () => (await import("./import.ts")).importFile,
  },
  {
    name: "push",
    summary: "a session to an OTLP receiver, confirmed: Jaeger, Tempo, a Collector, serve",
    load: async () => (await import("./push.ts")).push,
  },
  {
    name: "validate",
    summary: "whether files are sound ThoughtFlow files; if not, where and why",
    load: async () => (await import("./validate.ts")).validate,
  },
  {
    name: "stats",
    summary: "where time, tokens and money went: by model, tool, node, user, day … or run by run",
    load: async () => (await import("./stats.ts")).stats,
  },
  {
    name: "search",
    summary: "the steps that a filter describes: words, field:value, confidence<0.5, /patterns/",
    load: async () => (await import("./search.ts")).search,
  },
  {
    name: "sql",
    summary:
      "a SELECT over the tables of runs, nodes, model calls and steps; can't change anything",
    load: async () => (await import("./sql.ts")).sql,
  },
  {
    name: "store",
    summary: "a database of sessions: take in files, give documents back",
    load: async () => (await import("./store.ts")).store,
  },
  {
    name: "init",
    summary: "puts ThoughtFlow into the start script of the app here",
    load: async () => (await import("./init.ts")).init,
  },
  {
    name: "doctor",
    summary: "why sessions are missing or incomplete: versions, directory, settings, counters",
    load: async () => (await import("./doctor.ts")).doctor,
  },
  {
    name: "recover",
    summary:
      "write the files of sessions whose process was killed, and of missing or broken documents",
    load: async () => (await import("./recover.ts")).recover,
  },
  {
    name: "rm",
    summary: "erase a session from documents, journals, blobs and spool, for ever",
    load: async () => (await import("./rm.ts")).rm,
  },
  {
    name: "prune",
    summary:
      "take old sessions out of documents, journals, blobs and spool; put ended journals together",
    load: async () => (await import("./prune.ts")).prune,
  },
  {
    name: "vulture",
    summary: "write a trace, read it back and compare: whether a backend keeps what it is given",
    load: async () => (await import("./vulture.ts")).vulture,
  },
];
