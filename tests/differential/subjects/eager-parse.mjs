// Broken on purpose: reads the answer whether the app wants it or not.
import { wrapCreate } from "./wrapped-create.mjs";

wrapCreate(
  (create) =>
    ({
      create(...parameters) {
        const promise = create.apply(this, parameters);
        promise.then(
          () => {},
          () => {},
        );
        return promise;
      },
    }).create,
);
