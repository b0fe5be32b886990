/**
 * Says something aloud while the process ends, at once: a warning that is emitted would not be shown any more. It comes to
 * who hears of the others, so `--no-warnings` and the like hold for it too. Never throws.
 */
export function warnAtEnd(code: string, message: string): void {
  try {
    const warning = Object.assign(new Error(message), { name: "ThoughtFlowWarning", code });
    process.emit("warning", warning);
  } catch {
    // A listener of the app, or nobody reads stderr: there is no one left to tell.
  }
}
