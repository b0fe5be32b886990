import { assemble } from "@thoughtflow/assemble";
import { checkSession, type Session, type Step } from "@thoughtflow/schema";
import { createRandom } from "@thoughtflow/testkit";
import { dagOfSessions } from "@thoughtflow/workflow/document";
import { expect, test } from "vitest";
import { anyTranscript, SESSION, type TranscriptRecord } from "../../../testing/any-transcript.ts";
import { recordsOf } from "../../../testing/imported-records.ts";
import { type SourceFile, sourceText } from "../source-file.ts";
import { claudeCode } from "./claude-code.ts";

interface Block {
  readonly type: string;
  readonly id?: string;
  readonly name?: string;
  readonly tool_use_id?: string;
  readonly is_error?: boolean;
}

interface Message {
  readonly id?: string;
  readonly content: string | readonly Block[];
  readonly usage?: {
    readonly input_tokens: number;
    readonly output_tokens: number;
    readonly cache_read_input_tokens: number;
  };
}

/** What a transcript says that a session comes to, counted in its records alone. */
function truthOf(records: readonly TranscriptRecord[]) {
  const calls = new Map<string, Message>();
  const tools = new Map<string, Block>();
  const spawned = new Map<string, string>();
  const agents = new Set<unknown>();
  let [thoughts, failed] = [0, 0];
  for (const { message, toolUseResult, agentId } of records) {
    if (message === undefined) continue;
    const { id, content, usage } = message as Message;
    agents.add(agentId);
    // One that failed is a call, too.
    if (id !== undefined) calls.set(id, { content, ...(usage && { usage }) });
    for (const block of typeof content === "string" ? [] : content) {
      if (block.type === "thinking") thoughts++;
      if (block.type === "tool_use" && block.id !== undefined) tools.set(block.id, block);
      if (block.is_error === true) failed++;
      const child = (toolUseResult as { readonly agentId?: string } | undefined)?.agentId;
      if (child !== undefined) spawned.set(child, block.tool_use_id ?? "");
    }
  }
  const sum = (tokensOf: (usage: NonNullable<Message["usage"]>) => number): number =>
    [...calls.values()].reduce((all, { usage }) => all + (usage ? tokensOf(usage) : 0), 0);
  return {
    model_calls: calls.size,
    tool_calls: tools.size,
    input_tokens: sum((usage) => usage.input_tokens + usage.cache_read_input_tokens),
    output_tokens: sum((usage) => usage.output_tokens),
    cache_read_input_tokens: sum((usage) => usage.cache_read_input_tokens),
    thoughts,
    failed,
    agents: agents.size,
    spawned,
  };
}

const stepsOf = ({ conversations }: Session): readonly Step[] =>
  conversations.flatMap(({ steps }) => steps);

/** Where the records of sub-agents stand: in the session's file, in one of their own beside it, or below it. */
const layouts: Readonly<Record<string, (agentId: string) => string>> = {
  "in one file": () => `${SESSION}.jsonl`,
  "in files beside it": (agentId) => `agent-${agentId}.jsonl`,
  "in files below it": (agentId) => `${SESSION}/subagents/agent-${agentId}.jsonl`,
};

function filesOf(
  records: readonly TranscriptRecord[],
  layout: (agentId: string) => string,
): readonly SourceFile[] {
  const texts = new Map<string, string>();
  for (const record of records) {
    const { agentId } = record;
    const name = typeof agentId === "string" ? layout(agentId) : `${SESSION}.jsonl`;
    texts.set(name, `${texts.get(name) ?? ""}${JSON.stringify(record)}\n`);
  }
  return [...texts].map(([name, text]) => sourceText(text, name));
}

test.each(Object.entries(layouts))(
  "whatever happens in a transcript, with sub-agents %s, its session comes to what its records say",
  async (where, layout) => {
    let spawns = 0;
    for (let seed = 1; seed <= 150; seed++) {
      const records = anyTranscript(createRandom(seed));
      const imported = await recordsOf(claudeCode, filesOf(records, layout));
      const [session, ...others] = assemble(imported.records);
      if (session === undefined) throw new Error(`seed ${seed}: there is no session`);
      expect(others, `seed ${seed}`).toEqual([]);
      expect(checkSession(session), `seed ${seed}`).toEqual([]);
      const { thoughts, failed, agents, spawned, ...totals } = truthOf(records);
      expect(session.totals, `seed ${seed}`).toMatchObject(totals);
      const steps = stepsOf(session);
      const count = (label: Step["label"]) => steps.filter((step) => step.label === label).length;
      expect([count("thought"), count("tool_error")], `seed ${seed}`).toEqual([thoughts, failed]);
      expect(session.agents, `seed ${seed}`).toHaveLength(agents);
      const { edges } = dagOfSessions([session], { withResults: false, inferred: false });
      const drawn = edges.filter(({ type }) => type === "subagent_spawn");
      // In one file an agent begins before the result that names it: of twins either may be the other.
      const pairs =
        where === "in one file"
          ? [drawn.map((edge) => edge.spawned_by_task_id), [...spawned.values()]]
          : [
              drawn.map((edge) => `${edge.target_agent_id} ${edge.spawned_by_task_id}`),
              [...spawned].map((pair) => pair.join(" ")),
            ];
      expect(pairs[0]?.toSorted(), `seed ${seed}`).toEqual(pairs[1]?.toSorted());
      spawns += spawned.size;
    }
    expect(spawns).toBeGreaterThan(150);
  },
  60_000,
);
