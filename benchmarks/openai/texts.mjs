/** What all scenarios speak of. Without quotes, so that it is found again in any JSON that holds it. */

export const model = "gpt-4.1-mini-2025-04-14";

/** Numbers that stand nowhere else. */
export const tokens = { input: 90217, output: 48313 };

/** In 200 words, each with its space. */
export const answer = Array.from({ length: 200 }, (_, index) => `word${index} `).join("");

/**
 * So many characters, different for every `seed`. As in real traffic, every third text has a character outside of
 * Latin-1, its last here: engines keep such texts, and JSON with such a text in it, with two bytes a character.
 */
export function prose(length, seed) {
  const sentence = `The ${seed}th traveller asks for the weather, the way, and a place to sleep. `;
  const text = sentence.repeat(Math.ceil(length / sentence.length)).slice(0, length - 1);
  return text + (seed % 3 === 1 ? "…" : ".");
}

/** The part of it that every encoding writes alike. */
export const plainPart = (text) => text.slice(0, -1);

/** A history of so many messages, each of so many characters. */
export function history(count, length) {
  return Array.from({ length: count }, (_, index) => ({
    role: index === 0 ? "system" : index % 2 === 1 ? "user" : "assistant",
    content: prose(length, index),
  }));
}
