import type { FontName } from './text-runs.ts';

/**
 * What is asked of a font for this text. Amounts: figures of one width, so that they stand below each other. Where text
 * may run from right to left: something, for then pdfkit sets it as a whole; else it goes word by word, from left to right,
 * and remembers them, which takes a third of the time.
 */
export function fontFeaturesOf(font: FontName, text: string): string[] | undefined {
  if (/^(?:USD )?[−\d.,]+$/.test(text)) return ['tnum'];
  return font === 'fallback' ? ['kern'] : undefined;
}
