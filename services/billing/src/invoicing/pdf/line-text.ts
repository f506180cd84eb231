/** The texts of one row of an invoice. */
export interface LineText {
  readonly tool: string;
  readonly charge: string;
  /** Distinguishes the line from another one of the same tool and charge. */
  readonly details: readonly string[];
  readonly quantity: string;
  readonly amount: string;
}
