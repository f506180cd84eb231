/** How far everything is counted. */
export interface Watermark {
  readMs(): Promise<number>;
  /** The same, and asks whoever counts to look now: after a move of the clock nobody should wait for their next round. */
  hurryMs(): Promise<number>;
}
