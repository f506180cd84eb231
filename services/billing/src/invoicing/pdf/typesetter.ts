import type { Fonts } from './fonts.ts';
import type { Block, Mark, TextStyle } from './mark.ts';
import { leadingOf } from './page-design.ts';
import { toPrintable, toTextRuns } from './text-runs.ts';
import { wrapText } from './wrap-text.ts';

export interface Place {
  readonly style: TextStyle;
  readonly x: number;
  /** The first baseline. */
  readonly y: number;
  /** Text wider than this wraps. Without a width it stays on one line. */
  readonly width?: number;
  /** With 'right', `x` is the right edge. */
  readonly align?: 'right';
}

export interface Typesetter {
  /** Sets text as marks. The block's `bottom` is the baseline after the last line. */
  set(text: string, place: Place): Block;
  /** The width of the text on one line, in points. */
  widthOf(text: string, style: TextStyle): number;
}

export function createTypesetter(fonts: Omit<Fonts, 'bytesOf'>): Typesetter {
  const { hasGlyph, widthOf, shapedWidthOf } = fonts;
  const toRuns = (text: string, { weight }: TextStyle) => toTextRuns(text, { weight, hasGlyph });
  const measure = (text: string, style: TextStyle) =>
    toRuns(text, style).reduce((sum, run) => sum + widthOf(run.font, run.text) * style.size, 0);

  function setLine(line: string, { style, x, y, align }: Place): Mark[] {
    const { size, color } = style;
    const marks: Mark[] = [];
    const runs = toRuns(line, style);
    const isAlone = runs.length === 1 && align === undefined; // no mark needs its width
    let at = x;
    for (const { font, text } of runs) {
      marks.push({ kind: 'text', text, font, size, color, x: at, y });
      if (!isAlone) at += shapedWidthOf(font, text) * size;
    }
    return align === 'right' ? marks.map((mark) => ({ ...mark, x: mark.x - (at - x) })) : marks;
  }

  return {
    set(text, place) {
      const { style, y, width = Number.POSITIVE_INFINITY } = place;
      const lines = wrapText(toPrintable(text), width, (part) => measure(part, style));
      const marks = lines.flatMap((line, index) => setLine(line, { ...place, y: y + index * leadingOf(style) }));
      return { marks, bottom: y + lines.length * leadingOf(style) };
    },
    widthOf: measure,
  };
}
