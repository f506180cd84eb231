export type Measure = (text: string) => number;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Breaks text into lines no wider than `width`. It breaks between words, or inside a word that is wider than a line,
 * but never inside a character.
 */
export function wrapText(text: string, width: number, measure: Measure): string[] {
  if (measure(text) <= width) return [text];
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (measure(longer) <= width) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    const pieces = breakWord(word, width, measure);
    lines.push(...pieces.slice(0, -1));
    line = pieces.at(-1) ?? '';
  }
  return [...lines, line];
}

function breakWord(word: string, width: number, measure: Measure): string[] {
  if (measure(word) <= width) return [word];
  const pieces: string[] = [];
  let piece = '';
  for (const { segment } of graphemes.segment(word)) {
    if (piece !== '' && measure(piece + segment) > width) {
      pieces.push(piece);
      piece = '';
    }
    piece += segment;
  }
  return [...pieces, piece];
}
