import OpenAI from "openai";

// One request of the Responses API in a process of its own: `create`, `continue <id>` or `retrieve <id>`.
const { responses } = new OpenAI({ apiKey: "k", baseURL: process.env.BASE_URL });
const [what, previous_response_id] = process.argv.slice(2);
const response =
  what === "retrieve"
    ? await responses.retrieve(previous_response_id)
    : await responses.create({
        model: "m",
        input: what,
        background: what === "create",
        previous_response_id,
      });
console.log(response.id);
