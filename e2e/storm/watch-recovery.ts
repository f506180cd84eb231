import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '@tollgate/kernel/clock';
import type { Answer } from '@tollgate/testkit/load/start-load';
import { connectOracleDatabase } from '@tollgate/testkit/oracles/oracle-database';

export interface RecoveryWatch {
  /** For the load's `onAnswer`. */
  readonly note: (answer: Answer) => void;
  /**
   * Waits until ten requests in a row, all sent after the call, are served and the watermark has moved. The watermark is
   * the least of all partitions, so each partition is counted again. It waits two minutes at most.
   */
  untilRecovered(): Promise<Recovery>;
}

export interface Recovery {
  readonly recoveryMs: number;
  readonly isRecovered: boolean;
}

const servedInARow = 10;
const pollMs = 50;
const patienceMs = 120_000;
const watermark = `select extract(epoch from counted_through) as seconds from usage.watermark_v1`;

export function createRecoveryWatch(ownerUrl: string): RecoveryWatch {
  let latest: Answer[] = [];

  function isServing(sinceMs: number): boolean {
    return latest.length === servedInARow && latest.every(({ sentMs, isServed }) => isServed && sentMs >= sinceMs);
  }

  async function readWatermark(): Promise<number> {
    const client = await connectOracleDatabase(ownerUrl);
    client.on('error', () => undefined); // its server is killed now and then; the query rejects
    try {
      const { rows } = await client.query<{ seconds: string }>(watermark);
      return Number(rows[0]?.seconds ?? 0);
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  return {
    note(answer) {
      latest = [...latest, answer].slice(-servedInARow);
    },
    async untilRecovered() {
      const sinceMs = systemClock.monotonicMs();
      const tookMs = () => Math.round(systemClock.monotonicMs() - sinceMs);
      const from = await readWatermark().catch(() => 0);
      while (tookMs() < patienceMs) {
        if (isServing(sinceMs) && (await readWatermark().catch(() => 0)) > from)
          return { recoveryMs: tookMs(), isRecovered: true };
        await sleep(pollMs);
      }
      return { recoveryMs: tookMs(), isRecovered: false };
    },
  };
}
