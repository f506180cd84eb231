/** Gathers an option that may be given again. */
export function collect(word: string, words: readonly string[]): string[] {
  return [...words, word];
}
