/** Reads the object that a stored payload stands for. */
export type ReadPayload = (place: PayloadPlace) => object;

/** Where a payload is stored: the step that it is of, and its key there. */
export interface PayloadPlace {
  /** Bytes, in the file. */
  readonly start: number;
  readonly end: number;
  readonly key: string;
}

/** Makes payloads of one file that are read whenever somebody looks at them, and look like any other object. */
export function createStoredPayloads(read: ReadPayload): (place: PayloadPlace) => object {
  const handler: ProxyHandler<PayloadPlace> = {
    get: (place, key) => Reflect.get(read(place), key),
    has: (place, key) => Reflect.has(read(place), key),
    ownKeys: (place) => Reflect.ownKeys(read(place)),
    getOwnPropertyDescriptor: (place, key) => Reflect.getOwnPropertyDescriptor(read(place), key),
    set: () => false,
    defineProperty: () => false,
    deleteProperty: () => false,
  };
  return (place) => new Proxy(place, handler);
}
