import OpenAI from "openai";

export function start(options) {
  return { client: new OpenAI(options), settle() {}, inRun: (work) => work() };
}
