export type Weight = 'regular' | 'semibold';
export type FontName = Weight | 'fallback';

/** Text of one font. */
export interface TextRun {
  readonly font: FontName;
  readonly text: string;
}

export type HasGlyph = (font: FontName, codePoint: number) => boolean;

/**
 * Cuts text where its font changes: Inter for every character it has, DejaVu for those that only DejaVu has (Hebrew,
 * Arabic, Georgian, symbols). A character that neither has stays in Inter, which draws a box.
 *
 * Spaces and marks stay in the run around them. So a phrase from right to left is one run, and is set from right to
 * left.
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

/** Returns one line of printable text: line breaks and control characters become spaces. */
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
