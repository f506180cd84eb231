import { sandboxClockBounds } from '@tollgate/contracts/sandbox/sandbox-clock';
import { type Clock, systemClock } from '@tollgate/kernel/clock';
import type { Database } from '@tollgate/database/database';
import type { Idempotency } from '@tollgate/runtime/http/idempotency/idempotency';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';
import type { SandboxClock } from '@tollgate/runtime/sandbox-clock/sandbox-clock';
import { createClockCheck } from '@tollgate/runtime/timing/clock-check';
import { createCertificateWatch } from '@tollgate/runtime/tls/watch-certificate';
import { createForgetReplies } from '@tollgate/runtime/jobs/forget-replies';
import type { Config } from '../config.ts';
import type { CloseDuePeriods } from '../invoicing/close-due-periods.ts';
import type { PayoutSettings } from '../payouts/payout.ts';
import type { Processor } from '../processor/processor.ts';
import type { SandboxBank } from '../processor/sandbox/sandbox-bank.ts';
import type { ScriptedFailures } from '../processor/sandbox/scripted-failures.ts';
import { hurryCounting } from '../usage/sql-watermark.ts';
import { createCountingLag } from './counting-lag.ts';
import { accountsController } from './accounts.controller.ts';
import { clockController } from './clock.controller.ts';
import { createMoveClock } from './move-clock.ts';
import { createObserveMoney } from './observe-money.ts';
import { createSandboxTrouble } from './sandbox-trouble.ts';
import { createRunDueWork, type DueStep, type RunDueWork, createTick } from './run-due-work.ts';
import { sandboxTroubleController } from './sandbox-trouble.controller.ts';
import { createSweepProcessor, type SweepDeps } from './sweep-processor.ts';
import { unknownOutcomesController } from './unknown-outcomes.controller.ts';
import type { DiskRoom } from './machine-state.ts';
import { overviewController } from './overview.controller.ts';
import { noteWorkedThrough } from './sql-money-figures.ts';

export interface OperateDeps {
  readonly worker: Database;
  readonly settling: Database;
  readonly processor: Processor;
  readonly refresh: SweepDeps['refresh'];
  readonly closeDuePeriods: CloseDuePeriods;
  /** The due work of the other modules, run in this order. */
  readonly dueSteps: readonly DueStep[];
  readonly idempotency: Idempotency;
  readonly payouts: Pick<PayoutSettings, 'delayMs' | 'minimumMicros'>;
  readonly clock: Clock;
  /** The same clock as `clock`, if the operator may move it. */
  readonly sandboxClock?: SandboxClock | undefined;
  /** Only with the sandbox processor. */
  readonly sandbox?: { readonly bank: SandboxBank; readonly failures: ScriptedFailures } | undefined;
  readonly log: Logger;
  readonly metrics?: Metrics | undefined;
  /** The disk of the data folder. Left out: the database is a server's. */
  readonly readDisk?: (() => DiskRoom) | undefined;
}

/** Wires the tick that runs all due work, the daily sweep, and the operator's routes. */
export function wireOperate(
  config: Pick<Config, 'APPEND_DEADLINE_MS' | 'CLOCK_SKEW_MAX_MS' | 'PUBLIC_URL'>,
  deps: OperateDeps,
) {
  const { worker, settling, processor, refresh, closeDuePeriods, dueSteps, idempotency, clock, log, metrics } = deps;
  const { payouts } = deps;
  const sweepProcessor = createSweepProcessor({ database: settling, processor, refresh, log });
  const clockCheck = createClockCheck({ database: worker, skewMaxMs: config.CLOCK_SKEW_MAX_MS, log });
  const runAll = createRunDueWork({ closeDuePeriods, steps: [...dueSteps, sweepProcessor], clock });
  const runDueWork: RunDueWork = async () => {
    clockCheck.requireRight(); // a close and a charge cannot be taken back
    return runAll();
  };
  const tick = createTick({ runDueWork, log });
  const trailMs = config.APPEND_DEADLINE_MS + config.CLOCK_SKEW_MAX_MS;
  const movable = wireClock(deps, { runDueWork, trailMs });
  const countingLag = createCountingLag();
  const certificate = createCertificateWatch({ publicUrl: config.PUBLIC_URL, metrics, log });
  const overview = overviewController({
    database: worker,
    processor: processor.name,
    payoutMinimumMicros: payouts.minimumMicros,
    payoutDelayMs: payouts.delayMs,
    clock,
    readLastHour: () => countingLag.lastHour(systemClock.now()),
    readMachine: () => ({
      disk: deps.readDisk?.(),
      certificateEndsMs: certificate.endsMs(),
      nowMs: systemClock.now(),
    }),
  });
  return {
    announce: tick.announce,
    controllers: [
      accountsController(worker),
      overview,
      unknownOutcomesController(worker),
      ...createSandboxControllers(deps),
      ...movable.controllers,
    ],
    parts: [
      clockCheck,
      createForgetReplies({ worker, idempotency, clockCheck, log }),
      tick,
      ...movable.parts,
      ...certificate.parts,
      ...(metrics
        ? [
            createObserveMoney({
              database: worker,
              payoutDelayMs: payouts.delayMs,
              ...deps,
              metrics,
              clockCheck,
              noteLag: (seconds) => countingLag.note(systemClock.now(), seconds),
            }),
          ]
        : []),
    ],
  };
}

interface Moving {
  readonly runDueWork: RunDueWork;
  readonly trailMs: number;
}

/** The routes that show and move the clock, where it is the sandbox's. */
function wireClock({ sandboxClock: clock, worker, log }: OperateDeps, moving: Moving) {
  if (clock === undefined) return { controllers: [], parts: [] };
  const { moveClock, goingOn } = createMoveClock({
    clock,
    hurryCounting: () => hurryCounting(worker),
    noteWorkedThrough: (throughMs) => noteWorkedThrough(worker, throughMs),
    endMs: sandboxClockBounds.endMs,
    log,
    ...moving,
  });
  return { controllers: [clockController({ clock, moveClock, worker })], parts: [goingOn] };
}

/** The routes that script failures and open disputes, where they exist. */
function createSandboxControllers({ settling: database, processor, sandbox }: OperateDeps) {
  if (sandbox === undefined) return [];
  const { bank, failures } = sandbox;
  return [sandboxTroubleController(createSandboxTrouble({ database, processor, bank }), failures)];
}
