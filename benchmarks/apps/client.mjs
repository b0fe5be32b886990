import OpenAI from "openai";

export const client = new OpenAI({ apiKey: "none", baseURL: process.argv[2] });
console.log(performance.timeOrigin + performance.now());
