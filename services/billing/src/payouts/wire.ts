import type { Clock } from '@tollgate/kernel/clock';
import type { Database } from '@tollgate/database/database';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';
import type { ReplyOnce } from '@tollgate/runtime/nest/reply-once';
import type { FeeScope } from '../fees/fee-scope.ts';
import { findAccount } from '../invoicing/sql-accounts.ts';
import type { ConnectPayoutAccount } from '../processor/connect-payout-account.ts';
import type { Attempts } from '../processor/create-attempts.ts';
import type { CreateLoginLink } from '../processor/create-login-link.ts';
import type { DisconnectPayoutAccount } from '../processor/disconnect-payout-account.ts';
import type { OwnAddressOf } from '@tollgate/runtime/http/requests/own-address';
import type { Processor } from '../processor/processor.ts';
import { billingAccountController } from './billing-account.controller.ts';
import { createFindPayoutAttempts } from './find-payout-attempts.ts';
import { createFindPayout } from './find-payout.ts';
import { createListPayouts } from './list-payouts.ts';
import { operatorPayoutsController } from './operator-payouts.controller.ts';
import { payoutsController } from './payouts.controller.ts';
import { createObservePayouts } from './observe-payouts.ts';
import { createReadBillingAccount } from './read-billing-account.ts';
import { createReadPendingBalance } from './read-pending-balance.ts';
import { createReadStatement } from './read-statement.ts';
import { createSchedulePayouts, type PayoutSettings } from './schedule-payouts.ts';
import { createTransferPayouts } from './transfer-payouts.ts';

export interface PayoutsDeps {
  readonly api: Database;
  readonly worker: Database;
  readonly settling: Database;
  readonly processor: Pick<Processor, 'name'>;
  readonly attempts: Attempts;
  readonly useCases: {
    readonly connectPayoutAccount: ConnectPayoutAccount;
    readonly createLoginLink: CreateLoginLink;
    readonly disconnectPayoutAccount: DisconnectPayoutAccount;
  };
  readonly ownAddressOf: OwnAddressOf;
  readonly replyOnce: ReplyOnce;
  readonly scope: FeeScope;
  readonly payouts: PayoutSettings;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics?: Metrics | undefined;
  readonly batchBuildersMax?: number;
}

/** Wires the scheduling and transfer of payouts, and the routes that show them. */
export function wirePayouts(deps: PayoutsDeps) {
  const { api, scope, clock } = deps;
  const reading = { database: api, scope, nowMs: clock.now };
  const readPendingBalance = createReadPendingBalance(reading);
  const useCases = {
    listPayouts: createListPayouts(reading),
    findPayout: createFindPayout(reading),
    readStatement: createReadStatement(reading),
    findPayoutAttempts: createFindPayoutAttempts({ database: deps.worker }),
    readBillingAccount: createReadBillingAccount({ api, processor: deps.processor, readPendingBalance }),
  };
  return {
    dueSteps: createDueSteps(deps),
    controllers: [
      billingAccountController({ ...deps, ...deps.useCases, ...useCases }),
      payoutsController({ ...useCases, nowMs: clock.now }),
      operatorPayoutsController({
        ...useCases,
        worker: deps.worker,
        processor: deps.processor,
        nowMs: clock.now,
        findAccount: (accountId) => findAccount(deps.worker, accountId),
      }),
    ],
  };
}

function createDueSteps({ settling: database, processor: { name: processor }, scope, ...deps }: PayoutsDeps) {
  const { attempts, log, metrics, payouts: settings, batchBuildersMax } = deps;
  const { minimumMicros, young } = settings;
  const batch = batchBuildersMax === undefined ? {} : { batchBuildersMax };
  return [
    createSchedulePayouts({ database, processor, scope, settings, ...batch }),
    createTransferPayouts({ database, attempts, processor, scope, minimumMicros, young, log }),
    createObservePayouts({ database, minimumMicros, log, metrics }),
  ];
}
