import { AppError } from '@tollgate/kernel/app-error';

/** The one row of an object that the sandbox must have. */
export function foundRow<Row>(rows: readonly Row[], id: string): Row {
  const [row] = rows;
  if (!row) throw new AppError('not_found', `The processor has no ${id}.`);
  return row;
}
