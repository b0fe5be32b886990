// Broken on purpose: splits a stream and reads one half behind the app's back.
import { tapping } from "./wrapped-create.mjs";

tapping((stream) => {
  const [mine, theirs] = stream.tee();
  stream.iterator = () => theirs.iterator();
  void (async () => {
    for await (const _ of mine);
  })();
});
