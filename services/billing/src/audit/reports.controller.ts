import { Controller, Get, Req, Res } from '@nestjs/common';
import { revenueQuerySchema, trialBalanceQuerySchema } from '@tollgate/contracts/operator/operator-lists';
import { feeMonthSchema, revenueMonthSchema, trialBalanceAccountSchema } from '@tollgate/contracts/operator/reports';
import type { Queryable } from '@tollgate/database/database';
import { parseQuery } from '@tollgate/runtime/http/requests/parse';
import { sendTable } from '@tollgate/runtime/http/answers/send-table';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';
import type { Request, Response } from 'express';
import { toIso } from '@tollgate/kernel/clock';
import { micros, sumMicros, zeroMicros, type Micros } from '@tollgate/kernel/money';
import { toUsdNumber } from '@tollgate/kernel/usd-number';
import { reconcileQuerySchema } from '@tollgate/contracts/operator/reconciliation';
import { sendJson } from '@tollgate/runtime/http/answers/send-json';
import {
  sumBalances,
  sumFees,
  sumRevenue,
  type FeeEntry,
  type FeeSum,
  type RevenueEntry,
  type RevenueKind,
} from './sql-sum-ledger.ts';
import type { LedgerAccountKind } from '../ledger/ledger-posting.ts';
import { toApiReconciliation } from './reconciliation.ts';
import type { Reconcile } from './reconcile.ts';

export interface ReportsUseCases {
  readonly reconciling: Queryable;
  readonly nowMs: () => number;
}

const accountColumns = Object.keys(trialBalanceAccountSchema.shape);
const feeColumns = Object.keys(feeMonthSchema.shape);
const monthColumns = Object.keys(revenueMonthSchema.shape);

export function reportsController({ reconciling, nowMs }: ReportsUseCases): NestController {
  @Controller('v1/operator')
  class ReportsController {
    @Get('trial-balance')
    async balance(@Req() request: Request, @Res() response: Response): Promise<void> {
      const { period, format } = parseQuery(trialBalanceQuerySchema, request.url);
      const body = toApiTrialBalance(await sumBalances(reconciling, period), { period, asOfMs: nowMs() });
      sendTable(response, { format, body, rows: body.accounts, columns: accountColumns, name: 'trial-balance' });
    }

    @Get('revenue')
    async revenue(@Req() request: Request, @Res() response: Response): Promise<void> {
      const { from, to, format } = parseQuery(revenueQuerySchema, request.url);
      const body = toApiRevenue(await sumRevenue(reconciling, { from, to }));
      sendTable(response, { format, body, rows: body.months, columns: monthColumns, name: 'revenue' });
    }

    @Get('fees')
    async fees(@Req() request: Request, @Res() response: Response): Promise<void> {
      const { from, to, format } = parseQuery(revenueQuerySchema, request.url);
      const body = toApiFees(await sumFees(reconciling, { from, to }));
      sendTable(response, { format, body, rows: body.months, columns: feeColumns, name: 'fees' });
    }
  }
  return ReportsController;
}

const kinds: readonly LedgerAccountKind[] = [
  'receivable',
  'consumer_balance',
  'refund_in_transit',
  'part_paid',
  'builder_earned',
  'builder_payable',
  'in_transit',
  'platform_fees',
  'cash',
  'bank',
  'disputed',
  'processor_fees',
  'promotions',
  'rounding',
];

interface TrialBalanceOf {
  /** The last month whose postings count. Undefined: all count. */
  readonly period: string | undefined;
  readonly asOfMs: number;
}

function toApiTrialBalance(balances: ReadonlyMap<LedgerAccountKind, Micros>, { period, asOfMs }: TrialBalanceOf) {
  const sums = kinds.map((account) => {
    const balance = balances.get(account) ?? zeroMicros;
    return { account, debit: balance > 0n ? balance : zeroMicros, credit: micros(balance < 0n ? 0n - balance : 0n) };
  });
  return {
    as_of: toIso(asOfMs),
    period: period ?? null,
    currency: 'usd',
    accounts: sums.map(({ account, debit, credit }) => ({ account, ...toApiSides(debit, credit) })),
    ...toApiSides(sumMicros(sums.map(({ debit }) => debit)), sumMicros(sums.map(({ credit }) => credit))),
  };
}

function toApiSides(debit: Micros, credit: Micros) {
  return { debit_usd: toUsdNumber(debit), credit_usd: toUsdNumber(credit) };
}

function toApiRevenue(entries: readonly RevenueEntry[]) {
  const months = [...Map.groupBy(entries, ({ period }) => period)].map(([period, ofMonth]) => {
    const debits = (kind: RevenueKind) =>
      sumMicros(ofMonth.filter((entry) => entry.kind === kind).map(({ amountMicros }) => amountMicros));
    return {
      period,
      fees_usd: toUsdNumber(micros(0n - debits('platform_fees'))),
      processor_fees_usd: toUsdNumber(debits('processor_fees')),
      promotions_usd: toUsdNumber(debits('promotions')),
      rounding_usd: toUsdNumber(micros(0n - debits('rounding'))),
      net_usd: toUsdNumber(micros(0n - sumMicros(ofMonth.map(({ amountMicros }) => amountMicros)))),
    };
  });
  return { currency: 'usd', months };
}

function toApiFees(entries: readonly FeeEntry[]) {
  const months = [...Map.groupBy(entries, ({ period }) => period)].map(([period, ofMonth]) => {
    const debits = (wanted: FeeSum) =>
      sumMicros(ofMonth.filter(({ of }) => of === wanted).map(({ amountMicros }) => amountMicros));
    const credits = (wanted: FeeSum) => micros(0n - debits(wanted));
    const costs = sumMicros([
      debits('charge_fees'),
      debits('dispute_fees'),
      debits('refund_fees'),
      debits('borne_by_builders'),
    ]);
    return {
      period,
      collected_usd: toUsdNumber(debits('collected')),
      platform_fees_usd: toUsdNumber(credits('platform_fees')),
      charge_fees_usd: toUsdNumber(debits('charge_fees')),
      dispute_fees_usd: toUsdNumber(debits('dispute_fees')),
      refund_fees_usd: toUsdNumber(debits('refund_fees')),
      borne_by_builders_usd: toUsdNumber(credits('borne_by_builders')),
      margin_usd: toUsdNumber(micros(credits('platform_fees') - costs)),
    };
  });
  return { currency: 'usd', months };
}

export function reconcileController(reconcile: Reconcile): NestController {
  @Controller('v1/operator/reconcile')
  class ReconcileController {
    @Get()
    async compare(@Req() request: Request, @Res() response: Response): Promise<void> {
      const { period, account: accountId, keys } = parseQuery(reconcileQuerySchema, request.url);
      sendJson(response, 200, toApiReconciliation(await reconcile({ period, accountId, withAllKeys: keys === 'all' })));
    }
  }
  return ReconcileController;
}
