/**
 * Says something aloud while the process ends, at once: a warning that is emitted would not be shown any more. It comes to
 * who hears of the others, so `--no-warnings` and the like hold for it too. Never throws.
 */
export function warnAtEnd(code: string, message: string): void {
  try {
    // Defined: an app that freezes what the language brings lets nobody assign a name.
    const warning = Object.defineProperties(new Error(message), {
      name: { value: "ThoughtFlowWarning" },
      code: { value: code },
    });
    process.emit("warning", warning);
  } catch {
    // A listener of the app, or nobody reads stderr: there is no one left to tell.
  }
}
