// Where the helpers for chats are in each version of the SDK, and what they emit.

/** Where a resource is: out of beta since openai 5. */
export const completionsOf = ({ chat, beta }) =>
  (chat.completions.parse ? chat : beta.chat).completions;

/** Everything that a runner or stream emits, in order. */
export const listen = (emitter, names, note) => {
  for (const name of names) emitter.on(name, (...values) => note(name, ...values));
};

/** The events of a runner or a stream of chat completions. */
export const CHAT_EVENTS = [
  "connect",
  "chunk",
  "content",
  "message",
  "functionToolCall",
  "functionToolCallResult",
  "finalContent",
  "finalChatCompletion",
  "totalUsage",
  "error",
  "abort",
  "end",
];
