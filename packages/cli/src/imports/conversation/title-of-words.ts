import { titleFrom } from "@thoughtflow/thoughts";
import { typedWords } from "@thoughtflow/workflow";

/** What a session may be called after a prompt's words; notes of the program alone are no name. */
export function titleOfWords(text: string): string | undefined {
  const words = typedWords(text);
  return words === undefined ? undefined : titleFrom(words) || undefined;
}
