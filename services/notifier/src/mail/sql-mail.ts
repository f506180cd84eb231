import type { Database, Queryable, Transaction } from '@tollgate/database/database';
import { toIso } from '@tollgate/kernel/clock';
import { claimInTurn } from '../deliveries/claim-in-turn.ts';
import type { MailOutcome } from './plan-mail.ts';

/** A mail that this process alone sends now. */
export interface ClaimedMail {
  readonly mailId: string;
  readonly accountId: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly linkSealed: Uint8Array | null;
  readonly happenedAtMs: number;
  readonly expiresAtMs: number | null;
  /** The number of this try, from 1. Whoever claims it later has another. */
  readonly attempt: number;
  /** Null: the account is gone. */
  readonly address: string | null;
  /** A mail server has said that the address takes no mail. */
  readonly isBounced: boolean;
  /** The print of an invoice; null: there is none. */
  readonly pdf: Uint8Array | null;
}

export interface MailClaim {
  readonly nowMs: number;
  /** Until then nobody else sends what is claimed. */
  readonly untilMs: number;
  /** Invoices that were issued before go without their print, too. */
  readonly printsWaitedSinceMs: number;
  readonly free: number;
  /** How many may have been tried before. */
  readonly freeRepeated: number;
}

/** PostgreSQL thinks that few mails are the oldest of their account, so it would read and sort all that wait. */
const lock = {
  name: 'notify.lock_mail_claims',
  text: `select pg_advisory_xact_lock(hashtextextended('notify.claim_mail', 0)), set_config('enable_seqscan', 'off', true),
    set_config('enable_bitmapscan', 'off', true), set_config('enable_sort', 'off', true)`,
};

const hasItsPrint = (mail: string) => `(${mail}.type <> 'invoice.issued' or ${mail}.stored_at <= $3
      or exists (select from billing.mailed_print_v1 p where p.invoice_id = (${mail}.data ->> 'id')::uuid))`;

/**
 * An account has one mail on its way, the oldest that is due. So whatever its address does, it holds up its own mails alone.
 *
 * Plan: mails by the time since which they are due, from an index; of each, those of its account. It ends with the last one
 * that may be claimed. `offset 0` and `limit 1` keep PostgreSQL from joining all that wait.
 */
const textFor = (tries: string): string => `
with chosen as materialized (
  select m.mail_id from (select * from notify.mail where ${tries} and due_at <= $1 order by due_at, mail_id offset 0) m
  where ${hasItsPrint('m')}
    and (select true from notify.mail c where c.account_id = m.account_id and c.claimed_until > $1 limit 1) is null
    and (
      select true from notify.mail o where o.account_id = m.account_id and (o.due_at, o.mail_id) < (m.due_at, m.mail_id)
        and o.${tries} and ${hasItsPrint('o')} limit 1) is null
  limit $4
), claimed as (
  update notify.mail m set attempts = m.attempts + 1, claimed_until = $2 from chosen c where m.mail_id = c.mail_id
  returning m.mail_id, m.account_id, m.type, m.data, m.link_sealed, m.happened_at, m.expires_at, m.attempts
)
select c.*, a.email, a.email_bounced_at is not null as is_bounced, p.pdf
from claimed c left join auth.account_directory_v1 a using (account_id)
  left join billing.mailed_print_v1 p on c.type = 'invoice.issued' and p.invoice_id = (c.data ->> 'id')::uuid`;

const claimText = {
  first: { name: 'notify.claim_new_mails', text: textFor('attempts = 0') },
  second: { name: 'notify.claim_tried_mails', text: textFor('attempts > 0') },
};

interface DbMail {
  readonly mail_id: string;
  readonly account_id: string;
  readonly type: string;
  readonly data: Record<string, unknown>;
  readonly link_sealed: Uint8Array | null;
  readonly happened_at: Date;
  readonly expires_at: Date | null;
  readonly attempts: number;
  readonly email: string | null;
  readonly is_bounced: boolean;
  readonly pdf: Uint8Array | null;
}

/** Claims what is due. New mails come first; those that were tried before share what is left for them. */
export async function claimMails(worker: Database, claim: MailClaim): Promise<readonly ClaimedMail[]> {
  const { free, freeRepeated: freeOfSecond } = claim;
  return claimInTurn(worker, {
    lock,
    free,
    freeOfSecond,
    claimOf: (tx, kind, limit) => claimOf(tx, claim, { kind, limit }),
  });
}

async function claimOf(
  tx: Transaction,
  { nowMs, untilMs, printsWaitedSinceMs }: MailClaim,
  { kind, limit }: { kind: 'first' | 'second'; limit: number },
): Promise<ClaimedMail[]> {
  const values = [toIso(nowMs), toIso(untilMs), toIso(printsWaitedSinceMs), limit];
  return (await tx.query<DbMail>(claimText[kind], values)).map(fromDbMail);
}

function fromDbMail(row: DbMail): ClaimedMail {
  return {
    mailId: row.mail_id,
    accountId: row.account_id,
    type: row.type,
    data: row.data,
    linkSealed: row.link_sealed,
    happenedAtMs: row.happened_at.getTime(),
    expiresAtMs: row.expires_at?.getTime() ?? null,
    attempt: row.attempts,
    address: row.email,
    isBounced: row.is_bounced,
    pdf: row.pdf,
  };
}

// The number of the try is the fence: if the mail was claimed anew meanwhile, whoever did that settles it.
const postpone = {
  name: 'notify.postpone_mail',
  text: 'update notify.mail set due_at = $3, claimed_until = null where mail_id = $1 and attempts = $2',
};
const remove = { name: 'notify.remove_mail', text: 'delete from notify.mail where mail_id = $1 and attempts = $2' };
const note = { name: 'notify.note_bounce', text: 'select auth.note_bounce($1, $2, $3)' };

/** Writes down what came of a try. A bounce is noted on the account, in the same transaction. */
export async function settleMail(worker: Database, mail: ClaimedMail, settled: SettledMail): Promise<void> {
  const { mailId, attempt, accountId, address } = mail;
  const { outcome, nowMs } = settled;
  await worker.transaction(async (tx) => {
    if (!('end' in outcome)) {
      await tx.query(postpone, [mailId, attempt, toIso(outcome.dueAtMs)]);
      return;
    }
    await tx.query(remove, [mailId, attempt]);
    if (outcome.end === 'bounced') await tx.query(note, [accountId, address, toIso(nowMs)]);
  });
}

export interface SettledMail {
  readonly outcome: MailOutcome;
  readonly nowMs: number;
}

const release = {
  name: 'notify.release_mail',
  text: 'update notify.mail set claimed_until = null where mail_id = $1 and attempts = $2',
};

/** Lets anybody send it at once. */
export async function releaseMail(db: Queryable, { mailId, attempt }: ClaimedMail): Promise<void> {
  await db.query(release, [mailId, attempt]);
}
