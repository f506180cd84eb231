import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

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
