import { connect } from "node:net";

/** Sends bytes that need be no HTTP to a port of this machine; gives what comes back until the connection is closed. */
export function connectionTo(port: number, bytes: string | Uint8Array): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    let said = "";
    socket.on("data", (piece) => {
      said += piece.toString("latin1");
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(said));
  });
}
