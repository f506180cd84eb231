import { toIso, type Clock } from '@tollgate/kernel/clock';
import { onlyRow, type Database } from '@tollgate/database/database';
import type { OwnPayout, ProcessorDispute } from '../processor.ts';
import { addSandboxEvent, foundRow, createSandboxId } from './sandbox-events.ts';
import { lockSandboxCharge } from './lock-sandbox-charge.ts';
import { disputeColumns, toDispute, type DisputeRow } from './sandbox-disputes.ts';
import { lockMovedFunds } from './sandbox-funds.ts';
import { defaultFundsCents } from './sandbox-processor.ts';
import { ownPayoutColumns, toOwnPayout, type OwnPayoutRow } from './sandbox-own-payouts.ts';

/** The banks beyond the sandbox: of the consumers who pay through it, and of the platform. */
export interface SandboxBank {
  /**
   * Opens a dispute, and decides it at once unless it needs a response; webhooks follow. Its money and its fee leave the balance
   * when it is opened. Undefined if less than that is left of the charge.
   */
  dispute(order: DisputeOrder): Promise<ProcessorDispute | undefined>;
  /**
   * Decides an open dispute: `won` brings its money back, and never its fee. Throws `not_found`. Undefined if it was decided
   * otherwise before.
   */
  decideDispute(disputeId: string, decision: DisputeDecision): Promise<ProcessorDispute | undefined>;
  /** Pays the platform's own balance out to its bank; webhooks follow. Undefined if the balance is less than that. */
  payOut(order: OwnPayoutOrder): Promise<OwnPayout | undefined>;
}

export interface OwnPayoutOrder {
  readonly amountCents: bigint;
  /** `returned`: the bank sends the money back an hour later. */
  readonly outcome: 'paid' | 'returned';
}

export interface DisputeOrder {
  readonly chargeObjectId: string;
  readonly amountCents: bigint;
  /** `needs_response`: it stays open until it is decided. */
  readonly outcome: DisputeDecision | 'needs_response';
  /** The sandbox's fee on it. None, if not given. */
  readonly feeCents?: bigint | undefined;
}

export type DisputeDecision = 'won' | 'lost';

export interface SandboxBankOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** As the processor has it. */
  readonly fundsCents?: bigint | undefined;
  /** Called when there is an event to send. */
  readonly onEvent: () => void;
}

const insertText = `
insert into sandbox.dispute (${disputeColumns}) values ($1, $2, $3, $4, $5, $6) returning ${disputeColumns}`;

const decideText = `
update sandbox.dispute set status = $2 where dispute_id = $1 and status = 'open' returning ${disputeColumns}`;

const readDisputeText = `select ${disputeColumns} from sandbox.dispute where dispute_id = $1`;

const returnedAfterMs = 3_600_000;

const payOutText = `
insert into sandbox.own_payout (${ownPayoutColumns}) values ($1, $2, $3, $4) returning ${ownPayoutColumns}`;

/** Refunds and disputes lock the charge, so together they never take more than its amount. */
export function createSandboxBank(options: SandboxBankOptions): SandboxBank {
  const { database, clock, fundsCents = defaultFundsCents, onEvent } = options;
  return {
    async dispute({ chargeObjectId, amountCents, outcome, feeCents = 0n }) {
      const atMs = clock.now();
      const row = await database.transaction(async (tx) => {
        const charge = await lockSandboxCharge(tx, chargeObjectId, atMs);
        if (!charge || charge.leftCents < amountCents) return undefined;
        const status = outcome === 'needs_response' ? 'open' : outcome;
        const values = [createSandboxId('dp'), chargeObjectId, amountCents, feeCents, status, toIso(atMs)];
        const opened = onlyRow(await tx.query<DisputeRow>(insertText, values));
        for (const type of ['dispute.opened', ...(status === 'open' ? [] : ['dispute.closed'])])
          await addSandboxEvent(tx, { type, objectId: opened.dispute_id, atMs });
        return opened;
      });
      onEvent();
      return row && toDispute(row);
    },
    async decideDispute(disputeId, decision) {
      const row = await database.transaction(async (tx) => {
        const [decided] = await tx.query<DisputeRow>(decideText, [disputeId, decision]);
        if (!decided) return foundRow(await tx.query<DisputeRow>(readDisputeText, [disputeId]), disputeId);
        await addSandboxEvent(tx, { type: 'dispute.closed', objectId: disputeId, atMs: clock.now() });
        return decided;
      });
      onEvent();
      return row.status === decision ? toDispute(row) : undefined;
    },
    async payOut({ amountCents, outcome }) {
      const atMs = clock.now();
      const row = await database.transaction(async (tx) => {
        const heldCents = fundsCents + (await lockMovedFunds(tx, atMs));
        if (amountCents > heldCents) return undefined;
        const returnsAtMs = outcome === 'returned' ? atMs + returnedAfterMs : undefined;
        const values = [createSandboxId('po'), amountCents, returnsAtMs && toIso(returnsAtMs), toIso(atMs)];
        const made = onlyRow(await tx.query<OwnPayoutRow>(payOutText, values));
        const event = { objectId: made.payout_id, atMs };
        await addSandboxEvent(tx, { ...event, type: 'own_payout.made' });
        if (returnsAtMs) await addSandboxEvent(tx, { ...event, type: 'own_payout.returned', atMs: returnsAtMs });
        return made;
      });
      onEvent();
      return row && toOwnPayout(row, atMs);
    },
  };
}
