// The functions of the SDK: what each is called, how many arguments it says it takes, and what it is.
import { chat, chatStream, reply, response, responseStream } from "../answers.mjs";
import { completionsOf } from "../chat-helpers.mjs";
import { blueprint, functionsOf } from "../noticed.mjs";

const ask = { model: "m", messages: [{ role: "user", content: "hi" }] };
const input = { model: "m", input: "hi" };

/** A client and all that hangs on it, by path. */
function resourcesOf(client, path = "client", found = {}) {
  found[path] = client;
  for (const [name, value] of Object.entries(client)) {
    const isResource =
      typeof value === "object" && value !== null && Object.hasOwn(value, "_client");
    if (isResource) resourcesOf(value, `${path}.${name}`, found);
  }
  return found;
}

const RUNNERS = ["helpers/responses-tool-runner", "helpers/decisions-tool-runner"];

export const functions = [
  {
    name: "the SDK's classes look as they do",
    answers: [chat()],
    app: async ({ client, sdk }) => {
      await client.chat.completions.create(ask);
      const resources = Object.entries(resourcesOf(client));
      return [
        resources.map(([path, one]) => [path, blueprint(one)]),
        Reflect.ownKeys(sdk.OpenAI).map(String),
        Object.keys(sdk.module),
      ];
    },
    spans: ["chat m"],
  },
  ...RUNNERS.map((path) => ({
    name: `the class of ${path} looks as it does`,
    needs: async (sdk) => Object.keys(await sdk.part(path)).length > 0,
    app: async ({ sdk }) =>
      Object.entries(await sdk.part(path))
        .filter(([, one]) => typeof one === "function")
        .map(([name, one]) => [name, blueprint(one), blueprint(one.prototype ?? {})]),
  })),
  {
    name: "the functions of a promise look as they do, before and after it is awaited",
    answers: [chat(), response(), response(), reply({ data: [], object: "list" })],
    app: async ({ client }) => {
      const looks = [];
      const look = async (promise) => {
        looks.push(functionsOf(promise));
        await promise;
        looks.push(functionsOf(promise));
      };
      await look(client.chat.completions.create(ask));
      if (client.responses === undefined) return looks;
      const chained = client.responses.create(input)._thenUnwrap((value) => value);
      await look(chained);
      await look(client.responses.parse(input));
      await look(client.models.list());
      return looks;
    },
  },
  {
    name: "the functions of a stream and of its readers look as they do",
    answers: [chatStream(), chatStream(), responseStream()],
    app: async ({ client }) => {
      const looks = [];
      const look = async (stream) => {
        looks.push(functionsOf(stream));
        const reader = stream[Symbol.asyncIterator]();
        looks.push(namesOf(reader, ["next", "return", "throw"]));
        await reader.next();
        await reader.return?.();
      };
      await look(await client.chat.completions.create({ ...ask, stream: true }));
      const teed = await client.chat.completions.create({ ...ask, stream: true });
      for (const branch of teed.tee()) await look(branch);
      if (client.responses !== undefined) {
        await look(await client.responses.create({ ...input, stream: true }));
      }
      return looks;
    },
  },
  {
    name: "the functions of a runner look as they do",
    answers: [chat()],
    app: async ({ client }) => {
      const runner = completionsOf(client).runTools({ ...ask, tools: [] });
      const early = namesOf(runner, ["_runTools", "_createChatCompletion", "done"]);
      await runner.done();
      return [early, namesOf(runner, ["_runTools", "_createChatCompletion", "done"])];
    },
  },
];

/** By way of the object itself, wherever they stand. */
function namesOf(object, names) {
  return names.map((name) => `${name} ${object[name]?.name}/${object[name]?.length}`);
}
