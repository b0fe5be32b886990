const tools = {
  lookup_population: () => "123124",
  can_have_dragons: ({ population }) => String(population > 10000),
};

/** Asks, runs the tools it is told to, asks again; resolves with the answer. */
exports.runToolLoop = async (client) => {
  const messages = [
    {
      role: "user",
      content: "Can the country of Crumpet have dragons? Answer with only YES or NO",
    },
  ];
  for (;;) {
    const { choices } = await client.chat.completions.create({ model: "gpt-4o-mini", messages });
    const { message } = choices[0];
    if (!message.tool_calls) return message.content;
    messages.push(message);
    for (const { id, function: called } of message.tool_calls) {
      const content = tools[called.name](JSON.parse(called.arguments));
      messages.push({ role: "tool", tool_call_id: id, content });
    }
  }
};
