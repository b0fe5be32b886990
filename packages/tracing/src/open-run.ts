import type { Attributes, Context, Link, Span, Tracer } from "@opentelemetry/api";
import { trace } from "@opentelemetry/api";
import {
  ATTR_GEN_AI_AGENT_NAME,
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_GEN_AI_WORKFLOW_NAME,
  ATTR_THOUGHTFLOW_ORIGIN,
  ATTR_THOUGHTFLOW_RUN_CHANNEL,
  ATTR_THOUGHTFLOW_RUN_FINAL_STATE,
  ATTR_THOUGHTFLOW_RUN_ID,
  ATTR_THOUGHTFLOW_RUN_INITIAL_STATE,
  ATTR_THOUGHTFLOW_RUN_STATUS,
  ATTR_THOUGHTFLOW_RUN_TRIGGER,
  ATTR_THOUGHTFLOW_SESSION_TAGS,
  ATTR_THOUGHTFLOW_SESSION_TITLE,
  ATTR_USER_ID,
  OPERATION_INVOKE_AGENT,
  OPERATION_INVOKE_WORKFLOW,
} from "@thoughtflow/semconv";
import { attempt } from "./attempt.ts";
import { createDependencies, type Dependencies, dependencyList } from "./dependencies.ts";
import type { Dependency } from "./dependency.ts";
import { flowAttributesOf, type RunScope, sessionOf, setRun } from "./flow-context.ts";
import { flowSpan } from "./flow-span.ts";
import type { RunHandle } from "./handles.ts";
import { lightContext } from "./light-context.ts";
import { isLocalRoot, madeOf, startSpan } from "./tracer.ts";

/** What set a run off. */
export type RunTrigger =
  | "user_message"
  | "schedule"
  | "event"
  | "agent"
  | "resume"
  | "unknown"
  | (string & {});

/** What a run's span is made of. */
export interface RunDescription {
  /** Default `r_<span id>`. */
  readonly id?: string;
  /** The agent's name, unless `agent` or `workflow` says what it names. */
  readonly name?: string;
  /** The agent that runs: `gen_ai.agent.name`. */
  readonly agent?: string;
  /** The workflow, for a run that groups several agents: `gen_ai.workflow.name`. */
  readonly workflow?: string;
  readonly trigger?: RunTrigger;
  /** Where the conversation is held: `text`, `voice`, `slack` … */
  readonly channel?: string;
  /** `user.id`; default the session's user. */
  readonly user?: string;
  /** The state the run starts from; read when the program first waits, so that later changes don't show. */
  readonly initialState?: unknown;
  readonly dependsOn?: Dependency | readonly Dependency[];
  /** More attributes of the span. */
  readonly attributes?: Attributes;
}

/** A run between its start and its end. */
export interface OpenRun {
  readonly handle: RunHandle;
  /** What happens inside the run happens in this context. */
  readonly context: Context;
  readonly end: () => void;
  readonly fail: (error: unknown) => void;
}

/** Starts a run's span, `derived` when no program asked for it; `undefined` where nothing is traced, or can't be. */
export function openRun(
  tracer: Tracer,
  parent: Context,
  description: RunDescription,
  origin?: "derived",
): OpenRun | undefined {
  return attempt(() => startRun(tracer, parent, description, origin));
}

function startRun(
  tracer: Tracer,
  parent: Context,
  description: RunDescription,
  origin: "derived" | undefined,
): OpenRun | undefined {
  const { id } = description;
  const session = sessionOf(parent);
  const dependencies = createDependencies(parent);
  const links = dependencies.add(dependencyList(description.dependsOn));
  const isRoot = isLocalRoot(parent);
  const span = startSpan(
    tracer,
    runSpanName(description),
    {
      links: isRoot ? [] : [...links],
      attributes: {
        ...flowAttributesOf(parent),
        ...runAttributes(description),
        ...(origin !== undefined && { [ATTR_THOUGHTFLOW_ORIGIN]: origin }),
        ...(id !== undefined && { [ATTR_THOUGHTFLOW_RUN_ID]: id }),
        ...sessionAttributes(session, description.user),
        ...dependencies.attributes(),
        ...description.attributes,
      },
    },
    parent,
  );
  if (span === undefined) return undefined;
  return madeOf(span, () =>
    runOfSpan(span, parent, description, dependencies, isRoot ? links : []),
  );
}

function runOfSpan(
  span: Span,
  parent: Context,
  { id, initialState }: RunDescription,
  dependencies: Dependencies,
  links: readonly Link[],
): OpenRun {
  const spanContext = span.spanContext();
  const runId = id ?? `r_${spanContext.spanId}`;
  const state =
    initialState === undefined ? {} : { [ATTR_THOUGHTFLOW_RUN_INITIAL_STATE]: initialState };
  const { values, write, setStatus, recordError, fail, end } = flowSpan(span, STATUS_WORDS, state);
  if (id === undefined) write(() => span.setAttribute(ATTR_THOUGHTFLOW_RUN_ID, runId));
  const scope: RunScope = {
    runId,
    handle: {
      id: runId,
      sessionId: sessionOf(parent)?.sessionId,
      spanContext,
      setFinalState(value) {
        write(() => {
          values[ATTR_THOUGHTFLOW_RUN_FINAL_STATE] = value;
        });
      },
      dependsOn(...on) {
        write(() => {
          const added = dependencies.add(on);
          span.setAttributes(dependencies.attributes());
          scope.links.push(...added);
        });
      },
      setStatus,
      recordError,
    },
    named: new Map(),
    snapshots: new Map(),
    links: [...links],
  };
  return {
    handle: scope.handle,
    context: setRun(trace.setSpan(lightContext(parent), span), scope),
    end,
    fail(error) {
      fail(error);
      end();
    },
  };
}

const STATUS_WORDS = {
  attribute: ATTR_THOUGHTFLOW_RUN_STATUS,
  cancelled: "aborted",
  done: "completed",
};

function runSpanName({ workflow, agent, name }: RunDescription): string {
  if (workflow !== undefined) return `${OPERATION_INVOKE_WORKFLOW} ${workflow}`;
  const called = agent ?? name;
  return called === undefined ? OPERATION_INVOKE_AGENT : `${OPERATION_INVOKE_AGENT} ${called}`;
}

function runAttributes(description: RunDescription): Attributes {
  const { workflow, trigger, channel } = description;
  const agent = description.agent ?? (workflow === undefined ? description.name : undefined);
  return {
    [ATTR_GEN_AI_OPERATION_NAME]:
      workflow === undefined ? OPERATION_INVOKE_AGENT : OPERATION_INVOKE_WORKFLOW,
    ...(workflow !== undefined && { [ATTR_GEN_AI_WORKFLOW_NAME]: workflow }),
    ...(agent !== undefined && { [ATTR_GEN_AI_AGENT_NAME]: agent }),
    ...(trigger !== undefined && { [ATTR_THOUGHTFLOW_RUN_TRIGGER]: trigger }),
    ...(channel !== undefined && { [ATTR_THOUGHTFLOW_RUN_CHANNEL]: channel }),
  };
}

function sessionAttributes(
  session: ReturnType<typeof sessionOf>,
  user: string | undefined = session?.user,
): Attributes {
  return {
    ...(user !== undefined && { [ATTR_USER_ID]: user }),
    ...(session?.title !== undefined && { [ATTR_THOUGHTFLOW_SESSION_TITLE]: session.title }),
    ...(session?.tags !== undefined && { [ATTR_THOUGHTFLOW_SESSION_TAGS]: [...session.tags] }),
  };
}
