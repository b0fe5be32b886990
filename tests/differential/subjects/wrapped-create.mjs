import { installModuleHooks } from "@thoughtflow/instrumentation-openai/module-hooks";

/** For instrumentations that are broken on purpose: wraps `create` of chat and responses in every openai that is loaded. */
export function wrapCreate(wrap) {
  installModuleHooks(({ Chat, Responses }) => {
    for (const resource of [Chat.Completions, Responses]) {
      const { create } = resource.prototype;
      Object.defineProperty(resource.prototype, "create", {
        ...Object.getOwnPropertyDescriptor(resource.prototype, "create"),
        value: { create: wrap(create) }.create,
      });
    }
  }, wrapCreate);
}

/** Replaces what a stream is read from, where the answer is one. */
export const tapping = (tap) =>
  wrapCreate(
    (create) =>
      ({
        create(...parameters) {
          const promise = create.apply(this, parameters);
          const { parseResponse } = promise;
          promise.parseResponse = async (...rest) => {
            const value = await parseResponse.apply(promise, rest);
            if (typeof value?.iterator === "function") tap(value);
            return value;
          };
          return promise;
        },
      }).create,
  );
