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
 * Arabic, Georgian, symbols), Noto for Chinese, Japanese, Korean and emoji. A character that none has
 * becomes U+FFFD: an archive's PDF may not show the glyph of a missing character.
 *
 * Spaces and marks stay in the run around them. So a phrase from right to left is one run, and is set from right to
 * left.
 */
export function toTextRuns(text: string, fonts: RunFonts): TextRun[] {
  const runs: { font: FontName; text: string }[] = [];
  for (const character of text) {
    const last = runs.at(-1);
    const isBound = last && isNeutral.test(character) && fonts.hasGlyph(last.font, codePointOf(character));
    const found = isBound ? last.font : fontOf(character, fonts);
    const [font, shown] = found === undefined ? ['fallback' as const, missing] : [found, character];
    if (last?.font === font) last.text += shown;
    else runs.push({ font, text: shown });
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

const missing = '\ufffd';

function fontOf(character: string, { weight, hasGlyph, notoFontOf }: RunFonts): FontName | undefined {
  const codePoint = codePointOf(character);
  if (hasGlyph(weight, codePoint)) return weight;
  // DejaVu has some emoji of another look, and cannot join them.
  const noto = isEmoji.test(character) ? notoFontOf(codePoint) : undefined;
  if (noto !== undefined) return noto;
  return hasGlyph('fallback', codePoint) ? 'fallback' : notoFontOf(codePoint);
}

export const isEmoji = /^\p{Emoji_Presentation}$/u;

export function codePointOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}
