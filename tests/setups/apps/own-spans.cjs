// A span processor of the app's own. At the end of the process the app prints what it computed and what this saw.
const seen = [];

const ownProcessor = {
  onStart() {},
  onEnd: (span) => seen.push(span),
  forceFlush: async () => {},
  shutdown: async () => {},
};

/** Prints at exit: spans may end until then. */
function report(answers) {
  const names = new Map(seen.map((span) => [span.spanContext().spanId, span.name]));
  const spans = seen.map((span) => {
    const parent = span.parentSpanContext;
    return parent === undefined ? span.name : `${names.get(parent.spanId)} > ${span.name}`;
  });
  console.log(JSON.stringify({ answers, spans: spans.sort() }));
}

module.exports = { ownProcessor, report };
