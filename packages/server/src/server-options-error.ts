/** Options with which a server doesn't start; the message names each and its value. */
export class ServerOptionsError extends Error {
  override readonly name = "ServerOptionsError";
}
