import type { Queryable, Transaction } from '@tollgate/database/database';

/** An account that has a payment method, or had one. */
export interface SecuredAccount {
  readonly accountId: string;
  /** Epoch ms; null: it has one. */
  readonly unsecuredSinceMs: number | null;
  readonly changedSeq: bigint;
}

interface SecuredRow {
  readonly account_id: string;
  readonly unsecured_since: Date | null;
  readonly changed_seq: bigint;
}

const columns = 'account_id, unsecured_since, changed_seq';
const changedText = `select ${columns} from billing.secured_account_v1 where changed_seq > $1::bigint order by changed_seq`;

/** Uses the index on changed_seq. */
export async function readChangedSecured(db: Queryable, afterSeq: bigint): Promise<SecuredAccount[]> {
  const statement = { name: 'gate.read_changed_secured', text: changedText };
  return (await db.query<SecuredRow>(statement, [afterSeq.toString()])).map(fromSecuredRow);
}

const findText = `select ${columns} from billing.secured_account_v1 where account_id = $1`;

/** Undefined: the account never had a payment method. */
export async function findSecured(tx: Transaction, accountId: string): Promise<SecuredAccount | undefined> {
  const [row] = await tx.query<SecuredRow>({ name: 'gate.find_secured', text: findText }, [accountId]);
  return row && fromSecuredRow(row);
}

function fromSecuredRow({ account_id: accountId, unsecured_since: since, changed_seq: changedSeq }: SecuredRow) {
  return { accountId, unsecuredSinceMs: since?.getTime() ?? null, changedSeq };
}
