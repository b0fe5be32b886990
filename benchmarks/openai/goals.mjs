/** What ThoughtFlow is to add at most, µs a call, by scenario: `hot` or `total`. */
export const goals = [
  { scenario: "chat, 4 KiB", key: "hot", most: 10 },
  { scenario: "chat, 4 KiB, in a run of the app", key: "hot", most: 10 },
  { scenario: "chat, 100 messages (37 KB)", key: "hot", most: 10 },
  { scenario: "chat, 100 messages (37 KB), in a run of the app", key: "hot", most: 10 },
  { scenario: "responses, 4 KiB", key: "hot", most: 10 },
  { scenario: "responses, 100 items", key: "hot", most: 10 },
  { scenario: "chat, 1 MB of context (256 messages)", key: "hot", most: 50 },
  { scenario: "agent turn: 98 messages known, 2 new", key: "total", most: 20 },
  {
    scenario: "agent turn: 98 messages known, 2 new, in a run of the app",
    key: "total",
    most: 20,
  },
  {
    scenario: "100 messages, all new objects",
    key: "total",
    most: 60,
    variant: "ThoughtFlow, unmasked",
  },
  { scenario: "100 messages, all new objects", key: "total", most: 180 },
];

/** How many times less than these peers ThoughtFlow is to add until the caller has its answer. */
export const ratios = [
  { scenario: "chat, 100 messages (37 KB)", least: 8 },
  { scenario: "chat, 100 messages (37 KB), in a run of the app", least: 8 },
  { scenario: "responses, 100 items", least: 5 },
].map((goal) => ({ ...goal, peers: /^(?:Langfuse|OTel contrib)/ }));

/** What a chunk of a chat stream is to add at most, µs: the slope over the numbers of chunks. */
export const mostPerChunk = 0.3;
