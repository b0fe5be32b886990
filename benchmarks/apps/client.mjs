import OpenAI from "openai";

export const client = new OpenAI({ apiKey: "none", baseURL: process.argv[2] });
const { user, system } = process.cpuUsage();
console.log(performance.timeOrigin + performance.now(), (user + system) / 1000);
