/** What the agent's prompts are made of. */

export const policy = {
  text: "You are a fast assistant for everyday questions. Never guess a location. Ask before you remember anything about the user.",
  /** When it was written, long before the conversation. */
  producedAt: Date.UTC(2025, 7, 25, 9),
};

export const channel = {
  channel: "text",
  preamble: "You are writing in a text chat. Plain text, no Markdown.",
};

/** Guidance that people and agents may edit without touching the policy. */
export const adaptations = [
  {
    id: "adn.weather.units",
    title: "Units",
    content: "Give temperatures in degrees Celsius.",
    enabled: true,
  },
  {
    id: "adn.weather.dress",
    title: "What to wear",
    content: "Say what to wear.",
    enabled: false,
  },
];

export const tools = [
  {
    type: "function",
    name: "get_weather_from_coords",
    description: "The weather at a place, now.",
    parameters: {
      type: "object",
      properties: { lat: { type: "number" }, long: { type: "number" } },
      required: ["lat", "long"],
    },
  },
  {
    type: "function",
    name: "mem_add",
    description: "Remembers a fact about the user.",
    parameters: {
      type: "object",
      properties: { key: { type: "string" }, value: { type: "string" } },
      required: ["key", "value"],
    },
  },
];
