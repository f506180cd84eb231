import { AppError } from '@tollgate/kernel/app-error';

/** Returns the row of an object. Throws `not_found` if there is none. */
export function foundRow<Row>(rows: readonly Row[], id: string): Row {
  const [row] = rows;
  if (!row) throw new AppError('not_found', `The processor has no ${id}.`);
  return row;
}
