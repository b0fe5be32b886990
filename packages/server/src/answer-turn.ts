import type { ServerResponse } from "node:http";

/**
 * Of requests that came in one connection without waiting for one another only the first has its answer sent: waits for the turn of this one. What an answer
 * takes, an open file or a viewer's place, is not held by hundreds of them meanwhile.
 *
 * @returns whether there is still somebody to be answered
 */
export async function answerTurn(response: ServerResponse): Promise<boolean> {
  if (response.socket !== null) return true;
  return await new Promise((resolve) => {
    response.once("socket", () => resolve(true));
    // Node 20 tells the request alone that the connection is gone.
    response.req.once("close", () => resolve(false));
  });
}
