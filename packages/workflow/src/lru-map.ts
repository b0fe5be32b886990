/**
 * A bounded map: entries not touched while `limit` others were are forgotten. Two halves, so that forgetting costs
 * nothing: what is touched goes to the young one, and when that is full the old one is dropped whole.
 */
export class LruMap<K, V> {
  readonly #half: number;
  #young = new Map<K, V>();
  #old = new Map<K, V>();

  constructor(limit: number) {
    this.#half = Math.max(1, Math.ceil(limit / 2));
  }

  get isEmpty(): boolean {
    return this.#young.size === 0 && this.#old.size === 0;
  }

  /** The value, which counts as a touch. */
  get(key: K): V | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: K, value: V): void {
    this.#young.set(key, value);
    if (this.#young.size < this.#half) return;
    this.#old = this.#young;
    this.#young = new Map();
  }

  clear(): void {
    this.#old = new Map();
    this.#young = new Map();
  }
}
