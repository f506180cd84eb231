import type { Fonts } from './fonts.ts';
import { type Block, type Mark, type TextStyle, leadingOf } from './page-design.ts';
import { isNoto, toPrintable, toTextRuns, type Weight } from './text-runs.ts';
import { wrapText } from './wrap-text.ts';

export interface Place {
  readonly style: TextStyle;
  readonly x: number;
  /** The first baseline. */
  readonly y: number;
  /** Text wider than this wraps. Without a width it stays on one line. */
  readonly width?: number;
  /** Text with a wider word is set smaller. For amounts and quantities: a number is never broken. */
  readonly whole?: true;
  /** With 'right', `x` is the right edge. */
  readonly align?: 'right';
}

export interface Typesetter {
  /** Sets text as marks. The block's `bottom` is the baseline after the last line. */
  set(text: string, place: Place): Block;
  /** Sets an amount on one line, smaller if it is wider than the width. */
  setAmount(amount: string, place: Place & { readonly width: number }): Block;
  /** The width of the text on one line, in points. */
  widthOf(text: string, style: TextStyle): number;
}

/** The Noto files draw their thinnest weight. A line around each character makes it as heavy as Inter. */
const outlines: Readonly<Record<Weight, number>> = { regular: 0.03, semibold: 0.055 };

export function createTypesetter(fonts: Omit<Fonts, 'bytesOf' | 'readFor'>): Typesetter {
  const { hasGlyph, notoFontOf, widthOf, shapedWidthOf } = fonts;
  const toRuns = (text: string, { weight }: TextStyle) => toTextRuns(text, { weight, hasGlyph, notoFontOf });
  const measure = (text: string, style: TextStyle) =>
    toRuns(text, style).reduce((sum, run) => sum + widthOf(run.font, run.text) * style.size, 0);

  function setLine(line: string, { style, x, y, align }: Place): Mark[] {
    const { size, color, weight } = style;
    const marks: Mark[] = [];
    const runs = toRuns(line, style);
    const isAlone = runs.length === 1 && align === undefined; // no mark needs its width
    let at = x;
    for (const { font, text } of runs) {
      const outline = isNoto(font) ? size * outlines[weight] : 0;
      marks.push({ kind: 'text', text, font, size, color, outline, x: at, y });
      if (!isAlone) at += shapedWidthOf(font, text) * size;
    }
    return align === 'right' ? marks.map((mark) => ({ ...mark, x: mark.x - (at - x) })) : marks;
  }

  function shrink(text: string, { style, width }: { style: TextStyle; width: number }): TextStyle {
    const widest = Math.max(
      ...toPrintable(text)
        .split(' ')
        .map((word) => measure(word, style)),
    );
    return widest > width ? { ...style, size: (style.size * width) / widest - 0.01 } : style;
  }

  function set(text: string, place: Place): Block {
    const { y, width = Number.POSITIVE_INFINITY } = place;
    const style = place.whole ? shrink(text, { style: place.style, width }) : place.style;
    const lines = wrapText(toPrintable(text), width, (part) => measure(part, style));
    const marks = lines.flatMap((line, index) => setLine(line, { ...place, style, y: y + index * leadingOf(style) }));
    return { marks, bottom: y + lines.length * leadingOf(style) };
  }

  return {
    set,
    setAmount(amount, { width, style, ...place }) {
      const factor = Math.min(1, width / measure(amount, style));
      return set(amount, { ...place, style: { ...style, size: style.size * factor } });
    },
    widthOf: measure,
  };
}
