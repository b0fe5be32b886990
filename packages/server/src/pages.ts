import type { ListedSession } from "./artifacts.ts";
import type { HttpAnswer } from "./http-answer.ts";

const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
  "frame-ancestors 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'";

function page(status: number, body: string): HttpAnswer {
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>ThoughtFlow</title>\n${body}\n`;
  const headers = { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": CSP };
  return { status, headers, body: html };
}

/** Says nothing of the sessions; its script shows the token of the address, which no log and no referrer has. */
export const START_PAGE: HttpAnswer = page(
  401,
  '<p id="said">Open the address that <code>thoughtflow serve</code> printed.</p><script src="/thoughtflow/start.js"></script>',
);

export const START_SCRIPT: HttpAnswer = {
  status: 200,
  headers: { "Content-Type": "text/javascript; charset=utf-8" },
  body: `(async () => {
const token = new URLSearchParams(location.hash.slice(1)).get("token");
if (token !== null) {
  history.replaceState(null, "", location.pathname);
  const { status } = await fetch("/thoughtflow/token", { method: "POST", body: token });
  if (status === 204) location.replace("/thoughtflow/");
  else document.getElementById("said").textContent = "This token is not the server's.";
}
})();
`,
};

/** Sessions, the latest first, with their files. */
export function indexPage(sessions: readonly ListedSession[]): HttpAnswer {
  const rows = sessions.map(
    ({ session_id, title, status, modified_at, json, d2, svg, mmd }) =>
      `<tr><td><a href="${html(svg)}">${html(title ?? session_id)}</a><td>${html(status ?? "")}<td>${html(modified_at)}` +
      `<td><a href="${html(json)}">json</a> <a href="${html(d2)}">d2</a> <a href="${html(svg)}">svg</a> <a href="${html(mmd)}">mmd</a>`,
  );
  const none = sessions.length === 0 ? "<p>No session yet." : "";
  return page(200, `<h1>Sessions</h1>${none}<table>\n${rows.join("\n")}\n</table>`);
}

function html(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
