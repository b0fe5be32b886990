import type { Attributes } from "@opentelemetry/api";
import { context } from "@opentelemetry/api";
import {
  ATTR_THOUGHTFLOW_SESSION_STATUS,
  ATTR_THOUGHTFLOW_SESSION_TAGS,
  ATTR_THOUGHTFLOW_SESSION_TITLE,
  ATTR_USER_ID,
} from "@thoughtflow/semconv";
import { attempt } from "./attempt.ts";
import { checkArgument, checkFunction, optionCheck } from "./checks.ts";
import { type SessionScope, sessionIdAttributes, sessionOf, setSession } from "./flow-context.ts";
import type { SessionHandle } from "./handles.ts";
import { lightContext } from "./light-context.ts";
import { recordSessionMoment } from "./session-moment.ts";
import { silentSession } from "./silence.ts";
import { activeTracer } from "./tracer.ts";

/** One conversation, job or context. */
export interface SessionOptions {
  /** Default `s_` and 32 random hex digits. The same id, in any process and at any time, is the same session. */
  readonly id?: string;
  readonly title?: string;
  readonly tags?: readonly string[];
  /** Who the session is held with: `user.id`. */
  readonly user?: string;
}

const checkSessionOptions = optionCheck("withSession", {
  id: "id",
  title: "string",
  tags: "strings",
  user: "string",
});

/**
 * Runs a function in a session: whatever is traced inside belongs to it. Makes no span, and may be called again
 * with the same id, such as once for every message of a chat.
 *
 * @throws TypeError when an option has the wrong type.
 */
export function withSession<T>(options: SessionOptions, fn: (session: SessionHandle) => T): T {
  checkSessionOptions(options);
  checkFunction("withSession", fn);
  if (activeTracer() === undefined) return fn(silentSession(options.id));
  const scope = attempt(() => createScope(options));
  if (scope === undefined) return fn(silentSession(options.id));
  return context.with(
    setSession(lightContext(context.active()), scope),
    fn,
    undefined,
    scope.handle,
  );
}

/** The session that is declared here, if one is. */
export function activeSession(): SessionHandle | undefined {
  return sessionOf(context.active())?.handle;
}

function createScope({ id, title, tags, user }: SessionOptions): SessionScope {
  const sessionId = id ?? `s_${globalThis.crypto.randomUUID().replaceAll("-", "")}`;
  const record = (attributes: Attributes): void => {
    recordSessionMoment({ ...sessionIdAttributes(scope), ...attributes });
  };
  const handle: SessionHandle = {
    id: sessionId,
    setTitle(text) {
      checkArgument("setTitle", "title", "string", text);
      scope.title = text;
      record({ [ATTR_THOUGHTFLOW_SESSION_TITLE]: text });
    },
    setTags(list) {
      checkArgument("setTags", "tags", "strings", list);
      scope.tags = [...list];
      record({ [ATTR_THOUGHTFLOW_SESSION_TAGS]: [...list] });
    },
    setUser(name) {
      checkArgument("setUser", "user", "string", name);
      scope.user = name;
      record({ [ATTR_USER_ID]: name });
    },
    end(status = "completed") {
      checkArgument("end", "status", "id", status);
      record({ [ATTR_THOUGHTFLOW_SESSION_STATUS]: status });
    },
  };
  const scope: SessionScope = {
    sessionId,
    origin: "declared",
    isOwnId: id !== undefined,
    handle,
    title,
    tags,
    user,
  };
  return scope;
}
