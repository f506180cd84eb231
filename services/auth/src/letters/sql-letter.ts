import type { Queryable, Transaction } from '@tollgate/database/database';
import { toIso } from '@tollgate/kernel/clock';

export type LinkPurpose = 'password_reset' | 'email_confirmation';

export interface NewLetter {
  readonly letterId: string;
  readonly type: LinkPurpose | 'password.changed' | 'account.closed';
  /** Null: it goes to nobody. */
  readonly accountId: string | null;
  readonly linkSealed: Buffer | null;
  readonly askedAtMs: number;
  readonly expiresAtMs: number | null;
}

const insert = {
  name: 'auth.insert_letter',
  text: `insert into auth.letter (letter_id, type, account_id, link_sealed, asked_at, expires_at)
values ($1, $2, $3, $4, $5, $6)`,
};

/** The notifier takes it when the transaction commits. */
export async function insertLetter(tx: Transaction, letter: NewLetter): Promise<void> {
  const { letterId, type, accountId, linkSealed, askedAtMs, expiresAtMs } = letter;
  const expiresAt = expiresAtMs === null ? null : toIso(expiresAtMs);
  await tx.query(insert, [letterId, type, accountId, linkSealed, toIso(askedAtMs), expiresAt]);
}

export interface NewLink {
  readonly linkHash: Buffer;
  readonly purpose: LinkPurpose;
  readonly accountId: string | null;
  readonly expiresAtMs: number;
}

const insertOne = {
  name: 'auth.insert_mail_link',
  text: 'insert into auth.mail_link (link_hash, purpose, account_id, expires_at) values ($1, $2, $3, $4)',
};

export async function insertLink(
  tx: Transaction,
  { linkHash, purpose, accountId, expiresAtMs }: NewLink,
): Promise<void> {
  await tx.query(insertOne, [linkHash, purpose, accountId, toIso(expiresAtMs)]);
}

/** A link as it comes back. */
export interface FollowedLink {
  readonly linkHash: Buffer;
  readonly purpose: LinkPurpose;
  readonly nowMs: number;
}

const find = {
  name: 'auth.find_mail_link',
  text: `select account_id from auth.mail_link
where link_hash = $1 and purpose = $2 and expires_at > $3 and account_id is not null`,
};

/** The account of a link that is still good. Undefined: it is none of ours, was used, or is too old. */
export async function findLink(
  worker: Queryable,
  { linkHash, purpose, nowMs }: FollowedLink,
): Promise<string | undefined> {
  const [row] = await worker.query<{ account_id: string }>(find, [linkHash, purpose, toIso(nowMs)]);
  return row?.account_id;
}

const use = {
  name: 'auth.use_mail_link',
  text: `delete from auth.mail_link where link_hash = $1 and purpose = $2 and expires_at > $3 returning account_id`,
};

/** Uses the link up, in the transaction of its effect. False: it is not good any more. Of racing callers, one gets true. */
export async function useLink(tx: Transaction, { linkHash, purpose, nowMs }: FollowedLink): Promise<boolean> {
  return (await tx.query(use, [linkHash, purpose, toIso(nowMs)])).length === 1;
}

const forget = {
  name: 'auth.forget_mail_links',
  text: 'delete from auth.mail_link where account_id = $1 and purpose = $2',
};

/** Ends the other links of the account for the same purpose. */
export async function forgetLinks(tx: Transaction, accountId: string, purpose: LinkPurpose): Promise<void> {
  await tx.query(forget, [accountId, purpose]);
}
