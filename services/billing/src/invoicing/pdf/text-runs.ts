import type { NotoFont } from './noto-fonts.ts';

export type Weight = 'regular' | 'semibold';
export type FontName = Weight | 'fallback' | NotoFont;

/** Text of one font. */
export interface TextRun {
  readonly font: FontName;
  readonly text: string;
}

export function isNoto(font: FontName): font is NotoFont {
  return font.startsWith('noto-');
}

export interface RunFonts {
  readonly weight: Weight;
  readonly hasGlyph: (font: FontName, codePoint: number) => boolean;
  readonly notoFontOf: (codePoint: number) => FontName | undefined;
}

/**
 * Cuts text where its font changes: Inter for every character it has, DejaVu for those that only DejaVu has (Hebrew,
 * Arabic, Georgian, symbols), Noto for Chinese, Japanese, Korean and emoji. A character that none has stays in Inter,
 * which draws a box.
 *
 * Spaces and marks stay in the run around them. So a phrase from right to left is one run, and is set from right to
 * left.
 */
export function toTextRuns(text: string, fonts: RunFonts): TextRun[] {
  const runs: { font: FontName; text: string }[] = [];
  for (const character of text) {
    const last = runs.at(-1);
    const isBound = last && isNeutral.test(character) && fonts.hasGlyph(last.font, codePointOf(character));
    const font = isBound ? last.font : fontOf(character, fonts);
    if (last?.font === font) last.text += character;
    else runs.push({ font, text: character });
  }
  return runs;
}

/** Returns one line of printable text: line breaks and control characters become spaces. */
export function toPrintable(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
}

const isNeutral = /^[\s\p{M}\u200c\u200d]$/u;

function fontOf(character: string, { weight, hasGlyph, notoFontOf }: RunFonts): FontName {
  const codePoint = codePointOf(character);
  if (hasGlyph(weight, codePoint)) return weight;
  // DejaVu has some emoji of another look, and cannot join them.
  const noto = isEmoji.test(character) ? notoFontOf(codePoint) : undefined;
  if (noto !== undefined) return noto;
  return hasGlyph('fallback', codePoint) ? 'fallback' : (notoFontOf(codePoint) ?? weight);
}

export const isEmoji = /^\p{Emoji_Presentation}$/u;

export function codePointOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}
