// Broken on purpose: gives back the promise of `then` instead of the SDK's.
import { wrapCreate } from "./wrapped-create.mjs";

wrapCreate(
  (create) =>
    ({
      create(...parameters) {
        return create.apply(this, parameters).then((value) => value);
      },
    }).create,
);
