import OpenAI from "openai";

export async function POST(request) {
  const messages = [{ role: "user", content: await request.text() }];
  const answer = await new OpenAI().chat.completions.create({ model: "gpt-4o-mini", messages });
  return Response.json({ finish: answer.choices[0].finish_reason });
}
