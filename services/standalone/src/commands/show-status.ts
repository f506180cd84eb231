import { runReadCountingStatus } from '@tollgate/aggregator/service';
import { runReadMoneyStatus } from '@tollgate/billing/operator';
import { isMoved, systemClock, toIso } from '@tollgate/kernel/clock';
import { dayMs, sayDuration } from '@tollgate/kernel/durations';

import { readCertificateEnd } from '@tollgate/runtime/tls/read-certificate-end';
import { readAddressFile } from '@tollgate/runtime/data-folder/address-file';
import { readDisk } from '../disk/room-file.ts';
import { verifiedAgeMs } from '../backups/verified-backup.ts';
import { readVersion } from '../version.ts';
import { judgeStatus, type Need, type ServiceStatus, type Status } from './judge-status.ts';
import { dataFolderOf, withDatabase, type DatabaseChoice } from './open-database.ts';

export interface StatusChoice {
  /** The base URL of a Tollgate elsewhere. */
  readonly url?: string;
  readonly json?: true;
}

export interface StatusReport {
  readonly text: string;
  readonly needsOperator: boolean;
}

/** `tollgate operator status`: whether Tollgate runs, what waits, and what needs the operator. It only reads. */
export async function showStatus({ url, json }: StatusChoice, choice: DatabaseChoice): Promise<StatusReport> {
  const { environment, log } = choice;
  const status = await withDatabase(choice, async ({ urlFor, isShared }) => ({
    ...(await askService({ url, isShared }, choice)),
    ...(await runReadMoneyStatus({ workerUrl: urlFor('billing_worker'), environment, log })),
    ...(await runReadCountingStatus(urlFor('aggregator_worker'), log)),
  }));
  const needs = judgeStatus(status);
  const text = json === true ? JSON.stringify(toJson(status, needs), undefined, 2) : toText(status, needs);
  return { text, needsOperator: needs.length > 0 };
}

interface Asked {
  readonly url: string | undefined;
  readonly isShared: boolean | undefined;
}

async function askService({ url, isShared }: Asked, choice: DatabaseChoice): Promise<ServiceStatus> {
  // Another command may use the folder, too: only a Tollgate that serves has written its address.
  const address = isShared === true ? readAddressFile(dataFolderOf(choice)) : undefined;
  const baseUrl = url ?? address?.baseUrl ?? null;
  return {
    version: readVersion(),
    running: isShared === undefined ? null : address !== undefined,
    baseUrl,
    runningVersion: address?.version ?? null,
    readiness: baseUrl === null ? null : await askReadiness(baseUrl),
    ...backupsOf(choice, isShared === undefined),
    ...diskOf(choice, isShared === undefined),
    certificateEndsIn: await askCertificate(url ?? choice.environment['PUBLIC_URL']),
  };
}

/** Backups are of this machine's time, whatever the sandbox clock says. */
function backupsOf(choice: DatabaseChoice, isOfServer: boolean) {
  const ageMs = isOfServer ? null : verifiedAgeMs(dataFolderOf(choice), systemClock);
  return {
    verifiedBackupAge: ageMs === undefined ? ('none' as const) : ageMs && ageMs / 1_000,
    movesMoney: (choice.environment['PROCESSOR'] || 'sandbox') !== 'sandbox',
  };
}

function diskOf(choice: DatabaseChoice, isOfServer: boolean) {
  if (isOfServer) return { diskFullIn: null, diskFreeBytes: null };
  const { secondsUntilFull, freeBytes } = readDisk(dataFolderOf(choice), systemClock);
  return { diskFullIn: secondsUntilFull, diskFreeBytes: freeBytes };
}

async function askCertificate(address: string | undefined): Promise<ServiceStatus['certificateEndsIn']> {
  if (address === undefined || !address.startsWith('https:')) return null;
  try {
    return ((await readCertificateEnd(address)) - systemClock.now()) / 1_000;
  } catch {
    return 'no answer';
  }
}

const readinessTimeoutMs = 5_000;

async function askReadiness(baseUrl: string): Promise<ServiceStatus['readiness']> {
  try {
    const { ok } = await fetch(new URL('/readyz', baseUrl), { signal: AbortSignal.timeout(readinessTimeoutMs) });
    return ok ? 'ready' : 'not ready';
  } catch {
    return 'no answer';
  }
}

function toJson(status: Status, needs: readonly Need[]) {
  return {
    version: status.version,
    running: status.running,
    base_url: status.baseUrl,
    running_version: status.runningVersion,
    readiness: status.readiness,
    now: toIso(status.nowMs),
    clock_moved: isMoved(status.nowMs),
    counted_through: status.watermarkAge === null ? null : toIso(status.countedThroughMs),
    watermark_age_seconds: status.watermarkAge,
    due_period: status.duePeriod,
    period_overdue_seconds: status.dueAge,
    oldest_due_work: status.oldestDueWork,
    oldest_due_work_age_seconds: status.oldestDueWorkAge,
    unclosed_consumers: status.unclosedConsumers,
    held_invoices: status.heldInvoices,
    failing_payouts: status.failingPayouts,
    unfunded_payouts: status.unfundedPayouts,
    bank_failures: status.bankFailures,
    open_disputes: status.openDisputes,
    unknown_orders: status.unknownOrders,
    unknown_order_age_seconds: status.unknownOrderAge,
    orders_of_other_amount: status.ordersOfOtherAmount,
    waiting_webhooks: status.waitingWebhooks,
    dead_letters: status.deadLetters,
    usage_alerts: status.usageAlerts,
    ledger_differences: status.ledgerDifferences,
    rollup_differences: status.rollupDifferences,
    verified_backup_age_seconds: typeof status.verifiedBackupAge === 'number' ? status.verifiedBackupAge : null,
    disk_free_bytes: status.diskFreeBytes,
    disk_full_in_seconds: status.diskFullIn,
    certificate_ends_in_seconds: typeof status.certificateEndsIn === 'number' ? status.certificateEndsIn : null,
    needs_operator: needs,
  };
}

function toText(status: Status, needs: readonly Need[]): string {
  const rows: [string, string | number][] = [
    ['counted through', toWatermarkText(status)],
    ['period due, not closed', status.duePeriod ?? 'none'],
    ['oldest due work', toDueWorkText(status)],
    ['consumers set aside', status.unclosedConsumers],
    ['invoices to confirm', status.heldInvoices],
    ['payouts failing > 7 days', status.failingPayouts],
    ['payouts without balance', status.unfundedPayouts],
    ['banks that refuse', status.bankFailures],
    ['disputes open', status.openDisputes],
    ['orders of unknown outcome', status.unknownOrders],
    ['orders of other amount', status.ordersOfOtherAmount],
    ['webhooks waiting', status.waitingWebhooks],
    ['dead letters waiting', status.deadLetters],
    ['usage alerts in 24 hours', status.usageAlerts],
    ['ledger differences', status.ledgerDifferences ?? 'not checked yet'],
    ['rollup differences', status.rollupDifferences ?? 'not checked yet'],
    ...toBackupRows(status),
    ...toMachineRows(status),
  ];
  return [
    toServiceText(status),
    ...movedClockText(status),
    ...rows.map(([name, value]) => `  ${name.padEnd(25)} ${value}`),
    ...(needs.length === 0 ? ['Nothing needs you.'] : needs.map(({ what, action }) => `! ${what} ${action}`)),
  ].join('\n');
}

function toBackupRows({ verifiedBackupAge: age }: Status): [string, string][] {
  if (age === null) return []; // a server's own backups
  return [['newest verified backup', age === 'none' ? 'none' : `${sayDuration(age * 1_000)} ago`]];
}

function toDueWorkText({ oldestDueWork: kind, oldestDueWorkAge: age }: Status): string {
  return kind === null ? 'none' : `${kind}, due for ${sayDuration(age * 1_000)}`;
}

function toMachineRows({ diskFreeBytes, diskFullIn, certificateEndsIn: ends }: Status): [string, string][] {
  const lasts = diskFullIn === null ? '' : `, full in ${sayDuration(diskFullIn * 1_000)}`;
  return [
    ...(diskFreeBytes === null
      ? []
      : [['room on the disk', `${Math.round(diskFreeBytes / 1e9)} GB${lasts}`] as [string, string]]),
    ...(ends === null ? [] : [['certificate', toCertificateText(ends)] as [string, string]]),
  ];
}

function toCertificateText(ends: NonNullable<Status['certificateEndsIn']>): string {
  if (ends === 'no answer') return ends;
  return ends < 0 ? `ended ${sayDuration(-ends * 1_000)} ago` : `ends in ${sayDuration(ends * 1_000)}`;
}

function toServiceText({ version, running, baseUrl, runningVersion, readiness }: Status): string {
  const name = `Tollgate ${runningVersion ?? version}`;
  if (running === false) return `${name} does not run.`;
  if (baseUrl === null) return `${name}: --url says where it is, to ask whether it is ready.`;
  return `${name} at ${baseUrl}: ${readiness}.`;
}

/**
 * Tells that the clock was moved, since events of real time are refused. It needs nobody: the operator moved it on
 * purpose.
 */
function movedClockText({ nowMs }: Status): string[] {
  if (!isMoved(nowMs)) return [];
  const aheadMs = nowMs - systemClock.now();
  const side = aheadMs > 0 ? 'ahead of' : 'behind';
  return [
    `The sandbox clock was moved: it is ${toIso(nowMs)} there, ${sayDuration(Math.abs(aheadMs))} ${side} this machine's.`,
    ...(aheadMs > dayMs
      ? ['Events of now are refused as event_expired. A fresh data folder (--data) has real time again.']
      : []),
  ];
}

function toWatermarkText({ watermarkAge, countedThroughMs }: Status): string {
  return watermarkAge === null
    ? 'nothing is counted yet'
    : `${toIso(countedThroughMs)}, ${Math.round(watermarkAge)} s ago`;
}
