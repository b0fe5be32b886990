import { type FSWatcher, mkdirSync, watch } from "node:fs";

/** How often a change may put off the reading of those before it: nine times 100 ms are less than a second. */
const MOST_POSTPONED = 8;

/** Reads again once the files have been still for a while. Nothing here keeps the process alive. */
export function watchFiles(dir: string, debounceMs: number, read: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let postponed = 0;
  let watcher: FSWatcher | undefined;
  const readNow = (): void => {
    timer = undefined;
    postponed = 0;
    read();
  };
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    watcher = watch(dir, { persistent: false }, (_event, name) => {
      if (name === null || !/^(?:catalogue|edits|audit)\.jsonl?$/.test(name)) return;
      // Whoever keeps writing must not keep a program from what a person has decided.
      if (timer !== undefined && ++postponed > MOST_POSTPONED) return;
      clearTimeout(timer);
      timer = setTimeout(readNow, debounceMs).unref();
    });
    watcher.on("error", () => watcher?.close());
  } catch {
    // A directory that can't be watched is read again when somebody asks for it.
  }
  return () => {
    clearTimeout(timer);
    watcher?.close();
  };
}
