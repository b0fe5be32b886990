// Broken on purpose: a loop that is left doesn't tell the SDK, which goes on receiving.
import { tapping } from "./wrapped-create.mjs";

tapping((stream) => {
  const { iterator } = stream;
  stream.iterator = () => {
    const source = iterator.call(stream);
    return { next: () => source.next(), [Symbol.asyncIterator]: () => source };
  };
});
