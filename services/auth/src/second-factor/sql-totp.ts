import type { Transaction } from '@tollgate/database/database';

export interface Totp {
  readonly secretSealed: Uint8Array;
  /** Undefined until a code has confirmed the secret. */
  readonly confirmedAt: number | undefined;
}

const read = {
  name: 'auth.read_totp',
  text: 'select secret_sealed, confirmed_at from auth.totp where account_id = $1',
};

export async function readTotp(tx: Transaction, accountId: string): Promise<Totp | undefined> {
  const [row] = await tx.query<{ secret_sealed: Buffer; confirmed_at: Date | null }>(read, [accountId]);
  return row && { secretSealed: row.secret_sealed, confirmedAt: row.confirmed_at?.getTime() };
}

const put = {
  name: 'auth.put_totp',
  text: `insert into auth.totp as t (account_id, secret_sealed, created_at) values ($1, $2, $3)
on conflict (account_id) do update set secret_sealed = excluded.secret_sealed, created_at = excluded.created_at
where t.confirmed_at is null
returning account_id`,
};

/** False when a confirmed secret is there: only its removal makes room for another. */
export async function putTotp(
  tx: Transaction,
  { accountId, secretSealed, createdAt }: { accountId: string; secretSealed: Uint8Array; createdAt: number },
): Promise<boolean> {
  return (await tx.query(put, [accountId, secretSealed, new Date(createdAt)])).length === 1;
}

const confirm = {
  name: 'auth.confirm_totp',
  text: `update auth.totp set confirmed_at = $2, last_step = $3
where account_id = $1 and confirmed_at is null`,
};

export interface Confirmation {
  readonly accountId: string;
  readonly confirmedAt: number;
  readonly step: number;
}

/** Under the lock of the account, so that the secret is still the one whose code was checked. That code is used up. */
export async function confirmTotp(tx: Transaction, { accountId, confirmedAt, step }: Confirmation): Promise<void> {
  await tx.query(confirm, [accountId, new Date(confirmedAt), step]);
}

const use = {
  name: 'auth.use_totp_step',
  text: 'update auth.totp set last_step = $2 where account_id = $1 and last_step < $2 returning account_id',
};

/**
 * False when a code of this step or a later one was accepted before. Of racing callers one gets true: the others wait for
 * the row, and then find its new step.
 */
export async function useTotpStep(tx: Transaction, accountId: string, step: number): Promise<boolean> {
  return (await tx.query(use, [accountId, step])).length === 1;
}

const remove = { name: 'auth.delete_totp', text: 'delete from auth.totp where account_id = $1 returning account_id' };

/** Deletes the recovery codes as well. False when there is none. */
export async function deleteTotp(tx: Transaction, accountId: string): Promise<boolean> {
  return (await tx.query(remove, [accountId])).length === 1;
}
