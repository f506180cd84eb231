import type { CountingStatus } from '@tollgate/aggregator/service';
import { machineBounds } from '@tollgate/contracts/operator/machine-bounds';
import type { MoneyStatus } from '@tollgate/billing/operator';
import { verifiedAgeMaxMs } from '../backups/verified-backup.ts';

export interface ServiceStatus {
  /** The version of the commands. */
  readonly version: string;
  /** Null: not known, since the database is a server's. */
  readonly running: boolean | null;
  readonly baseUrl: string | null;
  /** The version of the running Tollgate; null if it does not run, or is elsewhere. */
  readonly runningVersion: string | null;
  /** Null if nobody was asked. */
  readonly readiness: 'ready' | 'not ready' | 'no answer' | null;
  /** In seconds. Null: the database is a server's, which has backups of its own. */
  readonly verifiedBackupAge: number | 'none' | null;
  /** In seconds: how long the disk lasts at the rate of the last day. Null: it does not fill, or is a server's. */
  readonly diskFullIn: number | null;
  readonly diskFreeBytes: number | null;
  /** In seconds: how long the certificate of the address lasts; below 0 if it has ended. Null: nobody knows its address. */
  readonly certificateEndsIn: number | 'no answer' | null;
  /** Whether the processor is a real one. */
  readonly movesMoney: boolean;
}

export interface Status extends ServiceStatus, MoneyStatus, CountingStatus {}

/** Something that does not end by itself. */
export interface Need {
  readonly what: string;
  readonly action: string;
}

/** In seconds. The alerts of `deploy/observability/rules.yml` have the same bounds. */
export const bounds = {
  watermarkAge: 600,
  dueAge: 3_600,
  oldestDueWorkAge: 3_600,
  unknownOrderAge: 3_600,
  waitingWebhookAge: 600,
  verifiedBackupAge: verifiedAgeMaxMs / 1_000,
  ...machineBounds,
};

/** Finds what needs the operator, the most urgent first. */
export function judgeStatus(status: Status): Need[] {
  return [
    ...ofService(status),
    ...ofBooks(status),
    ...ofMoney(status),
    ...ofCounting(status),
    ...ofBackups(status),
    ...ofMachine(status),
  ];
}

function ofService({ running, readiness, watermarkAge }: Status): Need[] {
  const isBehind = running !== false && watermarkAge !== null && watermarkAge > bounds.watermarkAge;
  return [
    ...(running === false ? [{ what: 'Tollgate does not run.', action: 'Start it: tollgate start' }] : []),
    ...(readiness === 'not ready' || readiness === 'no answer'
      ? [{ what: `Tollgate is not ready: ${readiness}.`, action: 'Its log has the reason.' }]
      : []),
    ...(isBehind
      ? [{ what: 'Usage is not counted.', action: 'The log of the aggregator has the reason. Nothing is lost.' }]
      : []),
  ];
}

/** A trial needs no backup. Whoever has verified one wants to hear when that ends. */
function ofBackups({ verifiedBackupAge: age, movesMoney }: Status): Need[] {
  const action = 'Make one: tollgate operator backup --to <folder> --verify';
  if (age === 'none') return when(movesMoney ? 1 : 0, { what: 'No backup was ever verified.', action });
  const isOld = age !== null && age > bounds.verifiedBackupAge;
  return when(isOld ? 1 : 0, { what: 'The newest verified backup is older than two days.', action });
}

function ofMachine({ diskFullIn, certificateEndsIn }: Status): Need[] {
  const isFilling = diskFullIn !== null && diskFullIn < bounds.diskFullIn;
  const isEnding = typeof certificateEndsIn === 'number' && certificateEndsIn < bounds.certificateEndsIn;
  return [
    ...when(isFilling ? 1 : 0, {
      what: 'At the rate of the last day the disk is full within three days.',
      action: 'Give it more room. EVENT_RETENTION_DAYS and LOG_RETENTION_DAYS bound what grows.',
    }),
    ...when(isEnding ? 1 : 0, {
      what: 'The certificate ends within 14 days, or has ended.',
      action: 'The log of the proxy that renews it has the reason.',
    }),
  ];
}

function ofBooks({ ledgerDifferences, ordersOfOtherAmount, unknownOrders, unknownOrderAge }: Status): Need[] {
  return [
    ...when(ledgerDifferences ?? 0, {
      what: 'Checks of the ledger do not hold.',
      action: 'Name the rows: tollgate operator ledger check',
    }),
    ...when(ordersOfOtherAmount, {
      what: 'The processor has orders of another amount.',
      action: 'Name them: tollgate operator reconcile',
    }),
    ...when(unknownOrderAge > bounds.unknownOrderAge ? unknownOrders : 0, {
      what: 'The outcome of an order is unknown for more than an hour.',
      action: 'Name it: tollgate operator reconcile. Do not pay by hand.',
    }),
  ];
}

function ofMoney(status: Status): Need[] {
  return [
    ...when(status.dueAge > bounds.dueAge ? 1 : 0, {
      what: `The period ${status.duePeriod} is due and not closed.`,
      action: 'The log of billing has the reason.',
    }),
    ...when(status.oldestDueWorkAge > bounds.oldestDueWorkAge ? 1 : 0, {
      what: `Work of the kind ${status.oldestDueWork} has been due for more than an hour.`,
      action: 'The log of billing has the reason. Charges and transfers also wait while the processor is away.',
    }),
    ...when(status.unclosedConsumers, {
      what: 'Consumers have no invoice of a closed period.',
      action: 'GET /v1/operator/unclosed-consumers has the reasons.',
    }),
    ...when(status.heldInvoices, {
      what: 'Invoices wait for your confirmation.',
      action: 'tollgate operator invoices --held, then tollgate operator invoice confirm <id>',
    }),
    ...when(status.openDisputes, {
      what: 'Disputes are open.',
      action: 'Answer them at the processor before its deadline.',
    }),
    ...ofPayouts(status),
    ...when(status.waitingWebhookAge > bounds.waitingWebhookAge ? status.waitingWebhooks : 0, {
      what: 'Webhooks are not applied.',
      action: 'The log of billing has the reason.',
    }),
  ];
}

function ofPayouts({ failingPayouts, unfundedPayouts, bankFailures }: Status): Need[] {
  return [
    ...when(unfundedPayouts, {
      what: 'The balance at the processor is too small for payouts.',
      action: 'Pay in what is missing, or stop the automatic payouts of the platform.',
    }),
    ...when(failingPayouts, {
      what: 'Payouts have failed for more than 7 days.',
      action: 'tollgate operator payouts --status failed',
    }),
    ...when(bankFailures, {
      what: 'Banks refuse payouts of builders.',
      action: 'GET /v1/operator/accounts/{id}/payout-account has the reason.',
    }),
  ];
}

function ofCounting({ deadLetters, rollupDifferences, usageAlerts }: Status): Need[] {
  return [
    ...when(rollupDifferences ?? 0, {
      what: 'Rollups are not the sums of their events.',
      action: 'Show them: tollgate operator rebuild-rollups',
    }),
    ...when(deadLetters, {
      what: 'Records of the log are not counted.',
      action: 'GET /v1/operator/dead-letters has the reasons.',
    }),
    ...when(usageAlerts, {
      what: 'Consumers called a tool far more than usual.',
      action: 'GET /v1/operator/usage-alerts names them.',
    }),
  ];
}

function when(count: number, need: Need): Need[] {
  return count > 0 ? [need] : [];
}
