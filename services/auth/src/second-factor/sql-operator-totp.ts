import type { Queryable, Transaction } from '@tollgate/database/database';
import type { Totp } from './sql-totp.ts';

const read = {
  name: 'auth.read_operator_totp',
  text: 'select secret_sealed, confirmed_at from auth.operator_totp',
};

export async function readOperatorTotp(worker: Queryable): Promise<Totp | undefined> {
  const [row] = await worker.query<{ secret_sealed: Buffer; confirmed_at: Date | null }>(read);
  return row && { secretSealed: row.secret_sealed, confirmedAt: row.confirmed_at?.getTime() };
}

const put = {
  name: 'auth.put_operator_totp',
  text: `insert into auth.operator_totp as t (secret_sealed, created_at) values ($1, $2)
on conflict (only_row) do update set secret_sealed = excluded.secret_sealed, created_at = excluded.created_at
where t.confirmed_at is null
returning only_row`,
};

/** False when a confirmed secret is there. */
export async function putOperatorTotp(
  worker: Queryable,
  secretSealed: Uint8Array,
  createdAt: number,
): Promise<boolean> {
  return (await worker.query(put, [secretSealed, new Date(createdAt)])).length === 1;
}

const confirm = {
  name: 'auth.confirm_operator_totp',
  text: `update auth.operator_totp set confirmed_at = $2, last_step = $3
where confirmed_at is null and secret_sealed = $1
returning only_row`,
};

/** False when another secret was stored since, or it is confirmed already. A trigger announces it to all services. */
export async function confirmOperatorTotp(
  tx: Transaction,
  { secretSealed, confirmedAt, step }: { secretSealed: Uint8Array; confirmedAt: number; step: number },
): Promise<boolean> {
  return (await tx.query(confirm, [secretSealed, new Date(confirmedAt), step])).length === 1;
}

const use = {
  name: 'auth.use_operator_totp_step',
  text: 'update auth.operator_totp set last_step = $1 where last_step < $1 returning only_row',
};

/** False when a code of this step or a later one was accepted before. Of racing callers one gets true. */
export async function useOperatorTotpStep(tx: Transaction, step: number): Promise<boolean> {
  return (await tx.query(use, [step])).length === 1;
}

const removeTotp = { name: 'auth.delete_operator_totp', text: 'delete from auth.operator_totp returning only_row' };
const removeCodes = { name: 'auth.delete_operator_codes', text: 'delete from auth.operator_code' };

/** Its codes end with it. False when there is none. */
export async function deleteOperatorTotp(tx: Transaction): Promise<boolean> {
  await tx.query(removeCodes);
  return (await tx.query(removeTotp)).length === 1;
}

const removeExpired = {
  name: 'auth.delete_expired_operator_codes',
  text: 'delete from auth.operator_code where expires_at <= $1',
};
const insertCode = {
  name: 'auth.insert_operator_code',
  text: 'insert into auth.operator_code (code_hash, token_hash, expires_at) values ($1, $2, $3)',
};

export interface NewOperatorCode {
  readonly codeHash: Uint8Array;
  readonly tokenHash: Uint8Array;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** Deletes the expired ones as well, so that the table stays small. A trigger announces it to all services. */
export async function insertOperatorCode(tx: Transaction, code: NewOperatorCode): Promise<void> {
  await tx.query(removeExpired, [new Date(code.createdAt)]);
  await tx.query(insertCode, [code.codeHash, code.tokenHash, new Date(code.expiresAt)]);
}
