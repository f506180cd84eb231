import { readFileSync } from 'node:fs';

import { describe, expect, it } from '@jest/globals';

import { bounds, judgeStatus, type Status } from './judge-status.ts';

const quiet: Status = {
  version: '1.0.0',
  running: true,
  baseUrl: 'http://127.0.0.1:8080',
  runningVersion: '1.0.0',
  readiness: 'ready',
  verifiedBackupAge: bounds.verifiedBackupAge,
  diskFullIn: bounds.diskFullIn,
  diskFreeBytes: 1e9,
  certificateEndsIn: bounds.certificateEndsIn,
  movesMoney: true,
  nowMs: 0,
  countedThroughMs: 0,
  watermarkAge: bounds.watermarkAge,
  duePeriod: '2026-10',
  dueAge: bounds.dueAge,
  oldestDueWork: 'charge',
  oldestDueWorkAge: bounds.oldestDueWorkAge,
  unclosedConsumers: 0,
  heldInvoices: 0,
  failingPayouts: 0,
  unfundedPayouts: 0,
  openDisputes: 0,
  unknownOrders: 1,
  unknownOrderAge: bounds.unknownOrderAge,
  ordersOfOtherAmount: 0,
  bankFailures: 0,
  waitingWebhooks: 1,
  waitingWebhookAge: bounds.waitingWebhookAge,
  usageAlerts: 0,
  ledgerDifferences: 0,
  deadLetters: 0,
  rollupDifferences: 0,
};

describe('tollgate status', () => {
  it('needs nobody while everything ends by itself, nor before anything was counted or checked', () => {
    expect(judgeStatus(quiet)).toEqual([]);
    const empty = { watermarkAge: null, ledgerDifferences: null, rollupDifferences: null, duePeriod: null, dueAge: 0 };
    expect(judgeStatus({ ...quiet, ...empty, running: null, readiness: null, verifiedBackupAge: null })).toEqual([]);
    const unknown = { diskFullIn: null, certificateEndsIn: null, oldestDueWork: null, oldestDueWorkAge: 0 };
    expect(judgeStatus({ ...quiet, ...unknown })).toEqual([]);
    expect(judgeStatus({ ...quiet, certificateEndsIn: 'no answer' })).toEqual([]);
    expect(judgeStatus({ ...quiet, verifiedBackupAge: 'none', movesMoney: false })).toEqual([]);
  });

  it.each<[keyof Status, Partial<Status>, RegExp]>([
    ['running', { running: false, watermarkAge: 1e6 }, /does not run/],
    ['readiness', { readiness: 'not ready' }, /not ready/],
    ['readiness', { readiness: 'no answer' }, /no answer/],
    ['watermarkAge', { watermarkAge: bounds.watermarkAge + 1 }, /not counted/],
    ['verifiedBackupAge', { verifiedBackupAge: bounds.verifiedBackupAge + 1 }, /older than two days/],
    ['verifiedBackupAge', { verifiedBackupAge: 'none' }, /No backup was ever verified/],
    ['dueAge', { dueAge: bounds.dueAge + 1 }, /2026-10 is due and not closed/],
    ['oldestDueWorkAge', { oldestDueWorkAge: bounds.oldestDueWorkAge + 1 }, /kind charge has been due/],
    ['diskFullIn', { diskFullIn: bounds.diskFullIn - 1 }, /disk is full within three days/],
    ['certificateEndsIn', { certificateEndsIn: bounds.certificateEndsIn - 1 }, /certificate ends within 14 days/],
    ['certificateEndsIn', { certificateEndsIn: -1 }, /has ended/],
    ['unclosedConsumers', { unclosedConsumers: 1 }, /no invoice/],
    ['heldInvoices', { heldInvoices: 1 }, /confirmation/],
    ['failingPayouts', { failingPayouts: 1 }, /failed for more than 7 days/],
    ['unfundedPayouts', { unfundedPayouts: 1 }, /too small/],
    ['openDisputes', { openDisputes: 1 }, /Disputes/],
    ['unknownOrderAge', { unknownOrderAge: bounds.unknownOrderAge + 1 }, /unknown/],
    ['ordersOfOtherAmount', { ordersOfOtherAmount: 1 }, /another amount/],
    ['bankFailures', { bankFailures: 1 }, /Banks/],
    ['waitingWebhookAge', { waitingWebhookAge: bounds.waitingWebhookAge + 1 }, /Webhooks/],
    ['usageAlerts', { usageAlerts: 1 }, /more than usual/],
    ['ledgerDifferences', { ledgerDifferences: 1 }, /ledger/],
    ['deadLetters', { deadLetters: 1 }, /Records of the log/],
    ['rollupDifferences', { rollupDifferences: 1 }, /Rollups/],
  ])('F372 needs the operator for one reason: %s', (_what, change, words) => {
    const needs = judgeStatus({ ...quiet, ...change });
    expect(needs).toEqual([{ what: expect.stringMatching(words), action: expect.stringMatching(/\w+/) }]);
  });

  it.each([
    ['watermark_age_seconds', bounds.watermarkAge],
    ['period_overdue_seconds', bounds.dueAge],
    ['unknown_order_age_seconds', bounds.unknownOrderAge],
    ['waiting_webhook_age_seconds', bounds.waitingWebhookAge],
  ])('calls for the operator when the alert does: %s', (metric, bound) => {
    const rules = readFileSync(new URL('../../../../deploy/observability/rules.yml', import.meta.url), 'utf8');
    expect(rules).toContain(`max(tollgate_billing_${metric}) > ${bound}\n`);
  });

  it.each([
    `max by (kind) (tollgate_billing_oldest_due_work_age_seconds) > ${bounds.oldestDueWorkAge}`,
    `time() - max(tollgate_verified_backup_timestamp_seconds) > ${bounds.verifiedBackupAge}`,
    `min(tollgate_disk_full_in_seconds) < ${bounds.diskFullIn}`,
    `min(tollgate_certificate_ends_timestamp_seconds) - time() < ${bounds.certificateEndsIn}`,
  ])('calls for the operator when the alert does: %s', (expression) => {
    const rules = readFileSync(new URL('../../../../deploy/observability/rules.yml', import.meta.url), 'utf8');
    expect(rules).toContain(`expr: ${expression}\n`);
  });
});
