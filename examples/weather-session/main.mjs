/**
 * A conversation about the weather in three runs, told to ThoughtFlow by the program itself: what was said, what
 * was called, and what rests on what. The model and the tools are made up, so it runs without a key or a network:
 *
 *   node --import @thoughtflow/node/register weather-session/main.mjs
 */
import { setTimeout as wait } from "node:timers/promises";
import {
  assistantMessage,
  composePrompt,
  memoryWrite,
  recordStep,
  snapshot,
  userMessage,
  withRun,
  withSession,
  withStep,
  withToolCall,
} from "@thoughtflow/tracing";
import { adaptations, channel, policy, tools } from "./prompt.mjs";

const AGENT = "weather";
const RUN = { agent: AGENT, trigger: "user_message", channel: channel.channel };

/** The parts of every prompt, each with the step that it is: a model call rests on the steps that its prompt's parts name. */
function lastingParts() {
  const included = adaptations.filter(({ enabled }) => enabled);
  const guidance = included.map(({ content }) => content).join("\n");
  const written = snapshot({ kind: "policy", content: policy.text, producedAt: policy.producedAt });
  const spoken = snapshot({ kind: "channel", content: channel });
  const adapted = recordStep({
    label: "prompt.adaptations",
    id: "adn",
    output: {
      included_ids: included.map(({ id }) => id),
      content_preview: guidance.slice(0, 200),
      content_length: guidance.length,
      scope: { agent: AGENT, channel: channel.channel },
      modifiable: true,
    },
  });
  return [
    { type: "channel_preamble", value: channel.preamble, id: spoken.id },
    { type: "prompt_adaptations", value: guidance, id: adapted.id },
    { type: "personality", value: policy.text, id: written.id },
  ];
}

/** Stands in for `openai.responses.create`: composes the prompt and answers what it is told to. */
async function askModel({ id, instruction, dependsOn, answer }) {
  const schemas = snapshot({ kind: "tool.schemas", content: tools });
  const user = { type: "user_instruction", value: instruction };
  const prompt = composePrompt([...lastingParts(), user], {
    beside: [{ type: "tool_schemas_snapshot", value: `tools:${tools.length}`, id: schemas.id }],
  });
  return withStep(
    {
      label: "assistant_call",
      id,
      name: "openai.responses.create",
      model: "gpt-5-mini",
      input: {
        arguments: { instructions_preview: prompt.slice(0, 200), tools_count: tools.length },
      },
      prompt,
      dependsOn,
      attributes: { "gen_ai.provider.name": "openai" },
    },
    async () => {
      await wait(300);
      return answer;
    },
  );
}

/** Run 1: the question can't be answered without a place. */
function askWhere() {
  return withRun({ ...RUN, id: "conv_1" }, async () => {
    const question = userMessage("what's the weather today?", { id: "asked" });
    const text = await askModel({
      id: "clarify",
      instruction: "what's the weather today?",
      dependsOn: [question],
      answer: "To fetch today's weather, I need your location. Which city are you in?",
    });
    return assistantMessage(text, { id: "clarification", dependsOn: "clarify" });
  });
}

/** Run 2: the user names a city, which answers what was asked in run 1: an edge from run to run. */
function reportWeather(clarification) {
  return withRun({ ...RUN, id: "conv_2" }, async (run) => {
    const city = userMessage("canberra", {
      id: "city",
      dependsOn: { on: clarification, type: "responds_to" },
    });
    const place = await withStep(
      {
        label: "node",
        id: "place",
        name: "nlp.normalize_location",
        input: "canberra",
        dependsOn: city,
      },
      async () => {
        await wait(20);
        return { name: "Canberra", country: "AU", lat: -35.28, long: 149.13 };
      },
    );
    const weather = await withToolCall(
      {
        id: "weather",
        name: "get_weather_from_coords",
        args: { lat: place.lat, long: place.long },
        dependsOn: "place",
      },
      async () => {
        await wait(120);
        return { temp: 2, unit: "°C", summary: "chilly" };
      },
    );
    run.setFinalState({ place, weather });
    return assistantMessage("In Canberra right now it's about 2 °C (very chilly).", {
      id: "report",
      dependsOn: ["weather", { on: city, type: "responds_to" }],
    });
  });
}

/** Run 3: the agent asks before it remembers; "yes" is a second user message of the same run. */
function rememberHome(report) {
  return withRun({ ...RUN, id: "conv_3" }, async (run) => {
    const wish = userMessage("thanks, you should remember that im based in canberra", {
      id: "wish",
      dependsOn: report,
    });
    const text = await askModel({
      id: "propose",
      instruction: "thanks, you should remember that im based in canberra",
      dependsOn: [wish, "conv_2/place"],
      answer: "Shall I remember Canberra, Australia as your base location?",
    });
    const question = assistantMessage(text, { id: "confirm", dependsOn: "propose" });
    const yes = userMessage("yes", {
      id: "confirmed",
      dependsOn: { on: question, type: "responds_to" },
    });
    const written = memoryWrite({
      id: "remembered",
      name: "tool.mem_add",
      key: "user.base_location",
      value: "Canberra_AU",
      dependsOn: [wish, yes],
    });
    assistantMessage("Got it. I'll remember you're based in Canberra.", {
      id: "done",
      dependsOn: written,
    });
    run.setFinalState({ "user.base_location": "Canberra_AU" });
  });
}

const session = { id: "sess_2025-09-02", title: "Weather in Canberra", tags: ["example"] };

await withSession(session, async ({ end }) => {
  const clarification = await askWhere();
  const report = await reportWeather(clarification);
  await rememberHome(report);
  end("completed");
});
