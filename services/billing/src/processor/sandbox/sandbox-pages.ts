import { toIso, type Clock } from '@tollgate/kernel/clock';
import type { Database, Transaction } from '@tollgate/database/database';
import type { CardSetup, HostedPages, PageAnswer, PageKind, PageReturn } from './hosted-pages.ts';
import { addSandboxEvent, createSandboxId } from './sandbox-events.ts';
import { sandboxCards } from './sandbox-cards.ts';
import { hashLinkToken } from './sandbox-link.ts';

export interface SandboxPagesOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** Called when there is an event to send. */
  readonly onEvent: () => void;
}

interface LinkRow {
  readonly object_id: string;
  readonly return_url: string;
  readonly expires_at: Date;
}

const findLinkText = `
select object_id, return_url, expires_at from sandbox.link
where token_hash = $1 and kind = $2 and used_at is null and expires_at > $3`;

// If a button is pressed twice at once, the second transaction waits for the row and then finds the link used.
const useLinkText = `
update sandbox.link set used_at = $3
where token_hash = $1 and kind = $2 and used_at is null and expires_at > $3
returning object_id, return_url, expires_at`;

const setAccountText = `
update sandbox.account set details_submitted = true, payouts_enabled = $2 where account_id = $1`;

const setCardText = `
update sandbox.customer
set payment_method_id = $2, brand = $3, last4 = $4, exp_month = 12, exp_year = extract(year from $5::timestamptz)::int + 3
where customer_id = $1`;

/**
 * Applies the pages' buttons. Effect, used link and event are one transaction, so each pressed button sends its
 * webhook.
 */
export function createSandboxPages({ database, clock, onEvent }: SandboxPagesOptions): HostedPages {
  async function answerLink(link: PressedLink, apply: ApplyAnswer): Promise<PageReturn | undefined> {
    const nowMs = clock.now();
    const now = toIso(nowMs);
    const used = await database.transaction(async (tx) => {
      const [row] = await tx.query<LinkRow>(useLinkText, [hashLinkToken(link.token), link.kind, now]);
      if (row) await apply(tx, row.object_id, nowMs);
      return row;
    });
    onEvent();
    return used && { returnUrl: used.return_url };
  }

  return {
    async find(kind, token) {
      const values = [hashLinkToken(token), kind, toIso(clock.now())];
      const [row] = await database.query<LinkRow>(findLinkText, values);
      return row && { objectId: row.object_id, returnUrl: row.return_url, expiresAtMs: row.expires_at.getTime() };
    },
    answerOnboarding: (token, answer) =>
      answerLink({ kind: 'onboarding', token }, (tx, id, nowMs) => applyOnboarding(tx, { id, nowMs, answer })),
    answerCardSetup: (token, setup) =>
      answerLink({ kind: 'card_setup', token }, (tx, id, nowMs) => applyCardSetup(tx, { id, nowMs, setup })),
  };
}

interface PressedLink {
  readonly kind: PageKind;
  readonly token: string;
}

type ApplyAnswer = (tx: Transaction, objectId: string, nowMs: number) => Promise<void>;

interface PressedButton {
  readonly id: string;
  readonly nowMs: number;
}

/** A refusal means that details are given but payouts denied, also for an account that had them (F51). */
async function applyOnboarding(
  tx: Transaction,
  { id, nowMs, answer }: PressedButton & { answer: PageAnswer },
): Promise<void> {
  if (answer === 'later') return;
  await tx.query(setAccountText, [id, answer === 'complete']);
  await addSandboxEvent(tx, { type: 'account.updated', objectId: id, atMs: nowMs });
}

/** A refusal means that the card was declined; the card on file stays. */
async function applyCardSetup(
  tx: Transaction,
  { id, nowMs, setup }: PressedButton & { setup: CardSetup },
): Promise<void> {
  const { answer, card } = setup;
  if (answer === 'later') return;
  const isSaved = answer === 'complete';
  const { brand, last4 } = sandboxCards[card];
  if (isSaved) await tx.query(setCardText, [id, createSandboxId('pm'), brand, last4, toIso(nowMs)]);
  await addSandboxEvent(tx, { type: isSaved ? 'setup.completed' : 'setup.failed', objectId: id, atMs: nowMs });
}
