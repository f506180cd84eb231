import type { FontName, Weight } from './text-runs.ts';

/** Something drawn on a page. Positions are points from the upper left corner; the `y` of text is its baseline. */
export type Mark = TextMark | BoxMark | RuleMark;

export interface TextMark {
  readonly kind: 'text';
  readonly text: string;
  readonly font: FontName;
  /** The width of a line around each character; 0: none. */
  readonly outline: number;
  readonly size: number;
  readonly color: string;
  readonly x: number;
  readonly y: number;
}

export interface BoxMark {
  readonly kind: 'box';
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly radius: number;
  readonly color: string;
}

interface RuleMark {
  readonly kind: 'rule';
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly thickness: number;
  readonly color: string;
}

export interface TextStyle {
  readonly size: number;
  readonly weight: Weight;
  readonly color: string;
}

/** Marks, and the `y` from which the next block may begin. */
export interface Block {
  readonly marks: readonly Mark[];
  readonly bottom: number;
}

/** A4 in points. */
export const page = {
  width: 595.28,
  height: 841.89,
  left: 54,
  right: 541.28,
  top: 54,
  bottom: 768,
  foot: 800,
} as const;
export const contentWidth = page.right - page.left;

export const colors = {
  ink: '#17202b',
  dim: '#66717f',
  line: '#e1e6ec',
  ground: '#f4f6f9',
  brand: '#3d5afe',
  paper: '#ffffff',
} as const;

export const tones = {
  plain: { ink: '#2f49d1', ground: '#e4e9ff' },
  good: { ink: '#1b6b43', ground: '#dcf3e6' },
  bad: { ink: '#a8231b', ground: '#fde4e1' },
  off: { ink: '#5b6573', ground: '#e6eaef' },
} as const;

export const styles = {
  brand: { size: 13, weight: 'semibold', color: colors.ink },
  title: { size: 22, weight: 'semibold', color: colors.ink },
  label: { size: 7.5, weight: 'regular', color: colors.dim },
  fact: { size: 9, weight: 'semibold', color: colors.ink },
  detail: { size: 7.5, weight: 'regular', color: colors.dim },
  amountDue: { size: 23, weight: 'semibold', color: colors.ink },
  strong: { size: 9, weight: 'semibold', color: colors.ink },
  text: { size: 9, weight: 'regular', color: colors.ink },
  dim: { size: 9, weight: 'regular', color: colors.dim },
  total: { size: 12, weight: 'semibold', color: colors.ink },
  foot: { size: 7.5, weight: 'regular', color: colors.dim },
} as const satisfies Record<string, TextStyle>;

export function leadingOf({ size }: TextStyle): number {
  return size * 1.4;
}

export function ruleAt(y: number, thickness = 0.6): RuleMark {
  return { kind: 'rule', x: page.left, y, width: contentWidth, thickness, color: colors.line };
}
