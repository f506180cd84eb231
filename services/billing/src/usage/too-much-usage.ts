/** The part of the usage or of the billed lines that is read. */
export interface RowBounds {
  /** Reads these tools only; default: all. */
  readonly toolIds?: readonly string[] | undefined;
  /** Throws `TooMuchUsage` where there are more rows, or more than 744 hours for each; default: there is no bound. */
  readonly rowsMax?: number | undefined;
}

/** More usage, or more billed lines, than is held in memory at once. */
export class TooMuchUsage extends Error {
  override readonly name = 'TooMuchUsage';
}

/** The limit for a query that shows whether there are more rows than `rowsMax`. */
export function limitOf({ rowsMax }: RowBounds): number | null {
  return rowsMax === undefined ? null : rowsMax + 1;
}

/** A month has no more. So only passes, which have hours of their own, make more hours than these out of few rows. */
const hoursPerRowMax = 744;

/** The limit for the hours of one span, from which its rows are summed. */
export function hoursLimitOf({ rowsMax }: RowBounds): number | null {
  return rowsMax === undefined ? null : rowsMax * hoursPerRowMax + 1;
}

export function refuseMoreThan({ rowsMax }: RowBounds, rows: readonly unknown[]): void {
  if (rowsMax !== undefined && rows.length > rowsMax) throw new TooMuchUsage(`more than ${rowsMax} rows of usage`);
}
