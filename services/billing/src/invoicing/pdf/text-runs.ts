export type Weight = 'regular' | 'semibold';
export type FontName = Weight | 'fallback';

/** Text of one font. */
export interface TextRun {
  readonly font: FontName;
  readonly text: string;
}

export type HasGlyph = (font: FontName, codePoint: number) => boolean;

/**
 * Cuts text where its font changes: Inter where it can, DejaVu where only that can (Hebrew, Arabic, Georgian, symbols).
 * What neither has is left to Inter, which draws a box. Spaces and marks stay in the run they stand in, so that a phrase
 * from right to left is one run, which is set from right to left.
 */
export function toTextRuns(text: string, { weight, hasGlyph }: { weight: Weight; hasGlyph: HasGlyph }): TextRun[] {
  const runs: { font: FontName; text: string }[] = [];
  for (const character of text) {
    const last = runs.at(-1);
    const isBound = last && isNeutral.test(character) && hasGlyph(last.font, codePointOf(character));
    const font = isBound ? last.font : fontOf(codePointOf(character), { weight, hasGlyph });
    if (last?.font === font) last.text += character;
    else runs.push({ font, text: character });
  }
  return runs;
}

/** One line of text that a font can be asked for: what breaks lines, or steers, is a space. */
export function toPrintable(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
}

const isNeutral = /^[\s\p{M}\u200c\u200d]$/u;

function fontOf(codePoint: number, { weight, hasGlyph }: { weight: Weight; hasGlyph: HasGlyph }): FontName {
  return !hasGlyph(weight, codePoint) && hasGlyph('fallback', codePoint) ? 'fallback' : weight;
}

function codePointOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}
