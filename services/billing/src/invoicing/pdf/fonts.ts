import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { create, type Font } from 'fontkit';
import decompress from 'woff2-encoder/decompress';
import {
  createNotoFonts,
  notoFileOf,
  type NotoFont,
  codePointOf,
  isEmoji,
  isNoto,
  type FontName,
} from './text-runs.ts';

export interface Fonts {
  /**
   * Reads the Noto files for a document with these texts. Other characters of Noto are drawn as U+FFFD, and so are
   * those beyond the first thousand different ones: each takes a millisecond to embed.
   */
  readFor(text: string): Promise<void>;
  bytesOf(name: FontName): Buffer;
  hasGlyph(name: FontName, codePoint: number): boolean;
  /** The Noto font for a character, if `readFor` has read it. */
  notoFontOf(codePoint: number): FontName | undefined;
  /**
   * The width of the text at size 1, as the sum of its characters. Line breaking uses it, since shaping each candidate
   * line takes 80 times as long.
   */
  widthOf(name: FontName, text: string): number;
  /** The exact width of the shaped text at size 1, for text that ends at an edge. */
  shapedWidthOf(name: FontName, text: string): number;
}

const require = createRequire(import.meta.url);

const files = {
  regular: require.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'),
  semibold: require.resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf'),
  fallback: require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
} as const;

const notoCharactersMax = 1_000;

/** Reads a whole file. */
export type ReadFile = (path: string) => Buffer;

/** Creates the fonts. Each file is read when it is first needed; those of most invoices have 0.7 MB. */
export function createFonts(readFile: ReadFile = (path) => readFileSync(path)): Fonts {
  const opened = new Map<FontName, OpenFont>();
  const notoFontsOf = createNotoFonts();
  const open = (name: FontName) => {
    const known = opened.get(name) ?? openFont(readFile(fileOf(name)));
    opened.set(name, known);
    return known;
  };
  let shown: ReadonlyMap<number, NotoFont> = new Map();
  async function findNoto(text: string): Promise<Map<number, NotoFont>> {
    const found = new Map<number, NotoFont>();
    for (const character of new Set(text)) {
      if (found.size >= notoCharactersMax || !needsNoto(character, open)) continue;
      const name = await firstWith(codePointOf(character));
      if (name !== undefined) found.set(codePointOf(character), name);
    }
    return found;
  }

  /** The first of the files that claim a character and draw it. */
  async function firstWith(codePoint: number): Promise<NotoFont | undefined> {
    for (const name of notoFontsOf(codePoint)) {
      if (!opened.has(name)) opened.set(name, openFont(await unpack(readFile(notoFileOf(name)))));
      if (open(name).font.hasGlyphForCodePoint(codePoint)) return name;
    }
    return undefined;
  }
  return {
    bytesOf: (name) => open(name).bytes,
    hasGlyph: (name, codePoint) => open(name).font.hasGlyphForCodePoint(codePoint),
    async readFor(text) {
      shown = await findNoto(text);
    },
    notoFontOf: (codePoint) => shown.get(codePoint),
    widthOf(name, text) {
      const known = open(name);
      const features = fontFeaturesOf(name, text);
      return Array.from(text).reduce((sum, character) => sum + advanceOf(known, { character, features }), 0);
    },
    shapedWidthOf(name, text) {
      const { font } = open(name);
      return font.layout(text, fontFeaturesOf(name, text)).advanceWidth / font.unitsPerEm;
    },
  };
}

interface OpenFont {
  readonly bytes: Buffer;
  readonly font: Font;
  /** The width of each character of the font, by features and character. */
  readonly advances: Map<string, number>;
}

interface GlyphQuery {
  readonly character: string;
  readonly features: string[] | undefined;
}

function advanceOf({ font, advances }: OpenFont, { character, features }: GlyphQuery): number {
  const isThere = font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0);
  const key = isThere ? `${features?.join() ?? ''} ${character}` : 'missing';
  const known = advances.get(key) ?? font.layout(character, features).advanceWidth / font.unitsPerEm;
  advances.set(key, known);
  return known;
}

function needsNoto(character: string, open: (name: FontName) => OpenFont): boolean {
  if (character <= '\u007e') return false;
  const codePoint = codePointOf(character);
  const hasGlyph = (name: FontName) => open(name).font.hasGlyphForCodePoint(codePoint);
  return !hasGlyph('regular') && (isEmoji.test(character) || !hasGlyph('fallback'));
}

function fileOf(name: FontName): string {
  if (isNoto(name)) throw new Error(`the font ${name} was not read before it was needed`);
  return files[name];
}

/** fontkit opens WOFF2, but cannot embed its compound characters. */
async function unpack(packed: Buffer): Promise<Buffer> {
  return Buffer.from(await decompress(packed));
}

function openFont(bytes: Buffer): OpenFont {
  const font = create(bytes) as Font; // `create` also opens collections of fonts; these files are single fonts
  return { bytes, font, advances: new Map() };
}

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
