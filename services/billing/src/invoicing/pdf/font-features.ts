import type { FontName } from './text-runs.ts';

/**
 * The OpenType features for this text. Amounts get figures of equal width, so that they align in a column.
 *
 * The fallback font may set text from right to left, which pdfkit does only when a feature is set. Without features it
 * sets and caches single words from left to right, in a third of the time.
 */
export function fontFeaturesOf(font: FontName, text: string): string[] | undefined {
  if (/^(?:USD )?[−\d.,]+$/.test(text)) return ['tnum'];
  return font === 'fallback' ? ['kern'] : undefined;
}
