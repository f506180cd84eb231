import type { Queryable, Transaction } from '@tollgate/database/database';

/** That the operator has set how far an account's balance may be exceeded. How far is read at each decision. */
export interface CreditLimit {
  readonly accountId: string;
  /** Epoch ms; null: it has no limit any more. */
  readonly sinceMs: number | null;
  readonly changedSeq: bigint;
}

interface LimitRow {
  readonly account_id: string;
  readonly since: Date | null;
  readonly changed_seq: bigint;
}

const columns = 'account_id, since, changed_seq';
const changedText = `select ${columns} from billing.credit_limit_v1 where changed_seq > $1::bigint order by changed_seq`;

/** Uses the index on changed_seq. */
export async function readChangedCreditLimits(db: Queryable, afterSeq: bigint): Promise<CreditLimit[]> {
  const statement = { name: 'gate.read_changed_credit_limits', text: changedText };
  return (await db.query<LimitRow>(statement, [afterSeq.toString()])).map(fromLimitRow);
}

const findText = `select ${columns} from billing.credit_limit_v1 where account_id = $1`;

export async function findCreditLimit(tx: Transaction, accountId: string): Promise<CreditLimit | undefined> {
  const [row] = await tx.query<LimitRow>({ name: 'gate.find_credit_limit', text: findText }, [accountId]);
  return row && fromLimitRow(row);
}

function fromLimitRow({ account_id: accountId, since, changed_seq: changedSeq }: LimitRow): CreditLimit {
  return { accountId, sinceMs: since?.getTime() ?? null, changedSeq };
}
