import type { ChildProcess } from "node:child_process";
import type { Worker } from "node:cluster";

/** A connection as Node's cluster hands it to a worker. */
interface Handle {
  close(): void;
}

/** What passes between Node's cluster and its workers, as far as it is looked at here. */
interface InternalMessage {
  readonly act?: string;
  readonly seq?: number;
  readonly ack?: number;
}

/**
 * Closes what a worker was handed and died before it took: Node's cluster closes its own copy of a connection when the worker answers, so whoever had
 * connected would wait for ever (nodejs/node, `lib/internal/cluster/round_robin_handle.js`, `handoff`; so in Node 20 to 26).
 *
 * Call it when the worker is forked. These messages are Node's own: should they change, nothing is closed here.
 */
export function closeWhatDiesWith({ process: child }: Worker): void {
  const handed = new Map<number, Handle>();
  const send = child.send as (...args: unknown[]) => boolean;
  const noting = (...args: unknown[]): boolean => {
    const [message, handle] = args as [InternalMessage, Handle | undefined];
    if (message.act === "newconn" && message.seq !== undefined && handle !== undefined) {
      handed.set(message.seq, handle);
    }
    return send.apply(child, args);
  };
  child.send = noting as ChildProcess["send"];
  child.on("internalMessage", ({ ack }: InternalMessage) => {
    if (ack !== undefined) handed.delete(ack);
  });
  child.once("exit", () => {
    for (const handle of handed.values()) handle.close();
    handed.clear();
  });
}
