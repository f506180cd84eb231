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

export interface RuleMark {
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
