import { onlyRow, type Queryable } from '@tollgate/database/database';

/** The number of the latest change so far. */
export async function readChangedSeq(db: Queryable): Promise<bigint> {
  return onlyRow(await db.query<{ last_value: bigint }>('select last_value from auth.changed_seq')).last_value;
}
