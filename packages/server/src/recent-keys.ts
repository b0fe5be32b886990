/** The latest keys of a stream of them. */
export interface RecentKeys {
  has(key: string): boolean;
  add(key: string): void;
}

/** A tenth goes at once: a set that loses one entry at its front for each new one gets slow. */
const KEPT = 0.9;

export function createRecentKeys(limit: number): RecentKeys {
  const keys = new Set<string>();
  return {
    has: (key) => keys.has(key),
    add(key) {
      if (keys.size >= limit) {
        for (const oldest of keys) {
          if (keys.size <= KEPT * limit) break;
          keys.delete(oldest);
        }
      }
      keys.add(key);
    },
  };
}
