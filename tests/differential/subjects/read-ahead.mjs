// Broken on purpose: asks for the next chunk before the app does.
import { tapping } from "./wrapped-create.mjs";

tapping((stream) => {
  const { iterator } = stream;
  stream.iterator = async function* () {
    const source = iterator.call(stream);
    try {
      let next = source.next();
      for (;;) {
        const { done, value } = await next;
        if (done) return;
        next = source.next();
        next.catch(() => {});
        yield value;
      }
    } finally {
      await source.return();
    }
  };
});
