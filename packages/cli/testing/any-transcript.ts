/** A record of a transcript of Claude Code. */
export type TranscriptRecord = Readonly<Record<string, unknown>>;

/** The session of them all. */
export const SESSION: string = "5e551017-0000-4000-8000-000000000000";
const START = Date.UTC(2026, 4, 1);
/** Milliseconds from one record to the next; several may have one time. */
const PAUSES = [0, 0, 3, 250, 1_000, 60_000];
const WORDS = ["Look at all files.", "Mend it.", "Go on.", "Count them.", "Again."];

/**
 * A session of one long run, or a few: calls that think, ask for tools one after the other or several at once, fail and are repeated,
 * are taken up again from before, ask for agents that work meanwhile, also in the background until a later turn is told that they are
 * done, and are told a summary of all that was said.
 *
 * @param random from 0 up to 1
 */
export function anyTranscript(random: () => number): readonly TranscriptRecord[] {
  const records: TranscriptRecord[] = [];
  const often = (share: number): boolean => random() < share;
  const oneOf = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  const [forks, failures, agents, summaries] = [0.1, 0.15, 0.3, 0.08].map((share) =>
    often(0.5) ? share : 0,
  ) as [number, number, number, number];
  const inBackground = often(0.5) ? 0.5 : 0;
  let ms = START;
  let count = 0;
  /** What agents in the background still have to do, each until it is told to be done. */
  const open: (() => void)[] = [];
  const known: string[] = [];
  const main: Chain = { parent: null, agentId: undefined };

  const hex = (length: number): string => (++count).toString(16).padStart(length, "0");

  function put(record: TranscriptRecord, chain: Chain): void {
    const uuid = `0000000a-0000-4000-8000-${hex(12)}`;
    ms += oneOf(PAUSES);
    records.push({
      ...{ parentUuid: chain.parent, isSidechain: chain.agentId !== undefined, uuid },
      ...{ sessionId: SESSION, timestamp: new Date(ms).toISOString(), version: "2.1.100" },
      ...(chain.agentId !== undefined && { agentId: chain.agentId }),
      ...record,
    });
    chain.parent = uuid;
    if (chain.agentId === undefined) known.push(uuid);
  }

  function said(content: unknown, chain: Chain, more: TranscriptRecord = {}): void {
    put({ type: "user", message: { role: "user", content }, ...more }, chain);
  }

  function answer(chain: Chain, parts: readonly unknown[], stop: string): void {
    const id = `msg_${hex(20)}`;
    const usage = { input_tokens: 10 + count, output_tokens: 5, cache_read_input_tokens: 100 };
    for (const part of parts) {
      const message = { id, type: "message", role: "assistant", model: "claude-sonnet-4-5" };
      put(
        {
          ...{ type: "assistant", requestId: `req_${id}` },
          message: { ...message, content: [part], stop_reason: stop, usage },
        },
        chain,
      );
    }
  }

  function failed(chain: Chain): void {
    const text = "API Error: 529 overloaded";
    const message = { id: hex(12), role: "assistant", model: "<synthetic>", stop_reason: "stop" };
    const content = [{ type: "text", text }];
    put({ type: "assistant", isApiErrorMessage: true, message: { ...message, content } }, chain);
  }

  function agent(prompt: string, toolUseId: string, isInBackground: boolean): string {
    const agentId = `a${hex(7)}`;
    const chain: Chain = { parent: null, agentId };
    said(prompt, chain);
    call(chain, false);
    const left = Array.from({ length: Math.floor(random() * 3) }, () => () => call(chain, false));
    const last = () => answer(chain, [{ type: "text", text: `Done ${toolUseId}.` }], "end_turn");
    if (isInBackground) open.push(...left, last, () => notified(agentId, toolUseId));
    else for (const step of [...left, last]) step();
    return agentId;
  }

  function notified(agentId: string, toolUseId: string): void {
    const about = `<task-id>${agentId}</task-id>\n<tool-use-id>${toolUseId}</tool-use-id>`;
    const text = `<task-notification>\n${about}\n<status>completed</status>\n</task-notification>`;
    said(text, main, { origin: { kind: "task-notification" } });
  }

  /** Agents in the background go on, or say that they are done. */
  function goOn(steps: number): void {
    for (const step of open.splice(0, steps)) step();
  }

  function call(chain: Chain, mayAsk = true): void {
    const parts: unknown[] = [];
    if (often(0.4)) parts.push({ type: "thinking", thinking: `I see ${random()}.`, signature: "" });
    if (often(0.3)) parts.push({ type: "text", text: `Now ${oneOf(WORDS)}` });
    const tools = Array.from({ length: 1 + Math.floor(random() * 3) }, () => {
      const isAgent = mayAsk && often(agents);
      const prompt = often(0.3) ? oneOf(WORDS) : `Look at ${random()}.`;
      const input = isAgent
        ? { description: "Looks", prompt, subagent_type: "general-purpose" }
        : { command: oneOf(["ls", "pwd", `cat ${count}`]) };
      const name = isAgent ? "Task" : "Bash";
      return { type: "tool_use", id: `toolu_${hex(18)}`, name, input };
    });
    answer(chain, [...parts, ...tools], "tool_use");
    for (const { id, name, input } of often(0.2) ? tools.toReversed() : tools) {
      const isInBackground = name === "Task" && often(inBackground);
      const { prompt = "" } = input as { readonly prompt?: string };
      const agentId = name === "Task" ? agent(prompt, id, isInBackground) : undefined;
      const isError = often(0.1);
      const text = isInBackground ? `Launched.\nagentId: ${agentId}` : "Done.";
      const content = agentId === undefined ? `out ${random()}` : [{ type: "text", text }];
      const status = isInBackground ? "async_launched" : "completed";
      said([{ type: "tool_result", tool_use_id: id, content, is_error: isError }], chain, {
        ...(agentId !== undefined && { toolUseResult: { agentId, status } }),
      });
    }
  }

  const runs = 1 + Math.floor(random() * 3);
  for (let run = 0; run < runs; run++) {
    said(often(0.5) ? oneOf(WORDS) : `Please ${random()}.`, main);
    const turns = 3 + Math.floor(random() * 12);
    for (let turn = 0; turn < turns; turn++) {
      if (often(failures)) failed(main);
      if (often(forks)) main.parent = oneOf(known);
      if (often(summaries)) {
        put({ type: "system", subtype: "compact_boundary", content: "Compacted" }, main);
        said(`This session goes on: ${random()}.`, main, { isCompactSummary: true });
      }
      goOn(Math.floor(random() * 4));
      call(main);
    }
    if (often(0.8)) answer(main, [{ type: "text", text: "All is done." }], "end_turn");
  }
  return records;
}

/** What is said between a model and one agent. */
interface Chain {
  parent: string | null;
  readonly agentId: string | undefined;
}
