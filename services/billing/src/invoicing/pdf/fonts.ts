import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { create, type Font } from 'fontkit';
import { fontFeaturesOf } from './font-features.ts';
import type { FontName } from './text-runs.ts';

export interface Fonts {
  bytesOf(name: FontName): Buffer;
  hasGlyph(name: FontName, codePoint: number): boolean;
  /**
   * The width of the text at size 1, as the sum of its characters. Line breaking uses it, since shaping each candidate
   * line takes 80 times as long.
   */
  widthOf(name: FontName, text: string): number;
  /** The exact width of the shaped text at size 1, for text that ends at an edge. */
  shapedWidthOf(name: FontName, text: string): number;
}

const require = createRequire(import.meta.url);

const files: Readonly<Record<FontName, string>> = {
  regular: require.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'),
  semibold: require.resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf'),
  fallback: require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
};

/** Creates the fonts. Each file is read when it is first needed; together they have 1.5 MB. */
export function createFonts(): Fonts {
  const opened = new Map<FontName, OpenFont>();
  const open = (name: FontName) => {
    const known = opened.get(name) ?? openFont(files[name]);
    opened.set(name, known);
    return known;
  };
  return {
    bytesOf: (name) => open(name).bytes,
    hasGlyph: (name, codePoint) => open(name).font.hasGlyphForCodePoint(codePoint),
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

function openFont(file: string): OpenFont {
  const bytes = readFileSync(file);
  const font = create(bytes) as Font; // `create` also opens collections of fonts; these files are single fonts
  return { bytes, font, advances: new Map() };
}
