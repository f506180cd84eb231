import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { create, type Font } from 'fontkit';
import { fontFeaturesOf } from './font-features.ts';
import type { FontName } from './text-runs.ts';

export interface Fonts {
  bytesOf(name: FontName): Buffer;
  hasGlyph(name: FontName, codePoint: number): boolean;
  /** Of text at size 1: the sum of its characters, for to shape a line at each try where to break it takes 80 times as long. */
  widthOf(name: FontName, text: string): number;
  /** Of text at size 1, shaped: to the point, for what ends at an edge. */
  shapedWidthOf(name: FontName, text: string): number;
}

const require = createRequire(import.meta.url);

const files: Readonly<Record<FontName, string>> = {
  regular: require.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'),
  semibold: require.resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf'),
  fallback: require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
};

/** Reads a font when it is first needed; 1.5 MB in all. */
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
  /** By features and character, of those that it has. */
  readonly advances: Map<string, number>;
}

interface Asked {
  readonly character: string;
  readonly features: string[] | undefined;
}

function advanceOf({ font, advances }: OpenFont, { character, features }: Asked): number {
  const isThere = font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0);
  const key = isThere ? `${features?.join() ?? ''} ${character}` : 'missing';
  const known = advances.get(key) ?? font.layout(character, features).advanceWidth / font.unitsPerEm;
  advances.set(key, known);
  return known;
}

function openFont(file: string): OpenFont {
  const bytes = readFileSync(file);
  const font = create(bytes) as Font; // a collection of fonts is what else there is; these files are none
  return { bytes, font, advances: new Map() };
}
