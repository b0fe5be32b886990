let kept;

export const isKept = () => kept !== undefined;

/** From now on all that arrives is kept as text, to be looked at, until `dropArrivals`. */
export function keepArrivals() {
  kept = [];
}

/** What arrived since `keepArrivals`, as one text. */
export function arrivals() {
  return kept.join("\n");
}

/** From now on nothing is made into text, which would be charged to whoever sends it. */
export function dropArrivals() {
  kept = undefined;
}

/** Something that would leave the process. */
export function arrive(value) {
  kept?.push(typeof value === "string" ? value : JSON.stringify(value));
}

/** The last value that was read, kept: reading for nothing, a compiler might leave out. */
const seen = { last: undefined };

/** Any exporter reads the attributes; some are made only then. */
function readAll(attributes) {
  for (const name in attributes) seen.last = attributes[name];
}

const success = { code: 0 };

/** Takes every batch of spans, reads all of their attributes, and lets them go. */
export const nullSpanExporter = {
  export(spans, done) {
    for (const { name, attributes, events } of spans) {
      readAll(attributes);
      for (const event of events) readAll(event.attributes);
      if (isKept()) arrive({ name, attributes, events });
    }
    done(success);
  },
  async shutdown() {},
};

/** The same for log records. */
export const nullLogExporter = {
  export(records, done) {
    for (const { attributes, body } of records) {
      readAll(attributes);
      readAll(body);
      if (isKept()) arrive({ attributes, body });
    }
    done(success);
  },
  async shutdown() {},
};
