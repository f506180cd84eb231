import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

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

/** A file with a part of the characters of a Noto font. */
export type NotoFont = `noto-${string}`;

const require = createRequire(import.meta.url);

/** The lists of characters, in the order in which the families are asked. */
const lists = {
  'noto-emoji': require.resolve('@fontsource-variable/noto-emoji/unicode.json'),
  'noto-sans-sc': require.resolve('@fontsource-variable/noto-sans-sc/unicode.json'),
  'noto-sans-kr': require.resolve('@fontsource-variable/noto-sans-kr/unicode.json'),
} as const;
type Family = keyof typeof lists;
const families = ['noto-emoji', 'noto-sans-sc', 'noto-sans-kr'] as const satisfies readonly Family[];

interface CharacterRange {
  readonly font: NotoFont;
  readonly first: number;
  readonly last: number;
}

/**
 * Finds the files that claim a character which no other font has: Chinese, Japanese, Korean and emoji. Each font is cut into
 * about a hundred files of 40 kB, so a name in Chinese reads two or three of them. The lists of characters are read on first
 * use. A claim may be wrong: noto-sans-sc lists Korean syllables that its file does not draw.
 */
export function createNotoFonts() {
  let known: readonly CharacterRange[] | undefined;
  return function notoFontsOf(codePoint: number): NotoFont[] {
    known ??= families.flatMap(readRanges);
    return known.filter(({ first, last }) => first <= codePoint && codePoint <= last).map(({ font }) => font);
  };
}

export function notoFileOf(font: NotoFont): string {
  const family = families.find((name) => font.startsWith(name));
  if (family === undefined) throw new Error(`there is no font ${font}`);
  return join(folderOf(family), 'files', `${font}-wght-normal.woff2`);
}

/** The ranges of a family, such as `{ "[4]": "U+3001-3002,U+4e00", "latin": "U+0000-00ff" }`. */
function readRanges(family: Family): CharacterRange[] {
  const text = readFileSync(lists[family], 'utf8');
  const byPart = JSON.parse(text) as Readonly<Record<string, string>>; // a file of a pinned package
  return Object.entries(byPart).flatMap(([part, ranges]) =>
    ranges.split(',').map((range) => {
      const [first = '', last = first] = range.slice('U+'.length).split('-');
      const font: NotoFont = `${family}-${part.replace(/[[\]]/g, '')}`;
      return { font, first: Number.parseInt(first, 16), last: Number.parseInt(last, 16) };
    }),
  );
}

function folderOf(family: Family): string {
  return dirname(lists[family]);
}
