import type { SeededRandom } from '@tollgate/testkit/seeded-random';
import { createFillBalances } from '../../../src/gate/caps/balance-caps.ts';
import { roomIn } from '../../../src/gate/deciding/room.ts';
import { listCapsOf } from '../../../src/gate/caps/sql-cap-state.ts';
import type { GateWorld } from './gate-world.ts';
import { payInvoices, putCredit, putCreditLimit, putInvoice } from './put-money.ts';

export interface SimulatedBalance {
  /** Money comes, or a close bills what is counted, or the balance pays what is billed. */
  move(): Promise<void>;
  /** Names what is wrong if the accepted calls come to this. */
  compare(acceptedMicros: bigint): string[];
  /** Names what is wrong once all calls are counted and settled. */
  compareLeft(): Promise<string[]>;
}

export interface BalanceOf {
  readonly world: GateWorld;
  readonly random: SeededRandom;
  readonly accountId: string;
  /** Rates all counted calls of the account. */
  rate(accountId: string): bigint;
}

/** The money of an account that pays before. Only what comes from outside changes what it can spend. */
export function simulateBalance({ world, random, accountId, rate }: BalanceOf): SimulatedBalance {
  // The account may owe nothing, or the allowance of an account without a payment method, until the operator sets a
  // limit.
  let limitCents = (world.rules.allowanceMicros ?? 0n) / 10_000n;
  let [fundedMicros, billedMicros] = [limitCents * 10_000n, 0n];
  const money = () => ({ owner: world.owner, accountId, nowMs: world.nowMs });

  async function topUp(): Promise<void> {
    const cents = BigInt(random.integer(1, 100));
    await putCredit(money(), cents);
    fundedMicros += cents * 10_000n;
  }

  async function raiseLimit(): Promise<void> {
    const cents = BigInt(random.integer(1, 100));
    limitCents += cents;
    await putCreditLimit(money(), limitCents);
    fundedMicros += cents * 10_000n;
  }

  async function payByCard(): Promise<void> {
    fundedMicros += (await payInvoices(money(), 'card')) * 10_000n;
  }

  async function payByBalance(): Promise<void> {
    await payInvoices(money(), 'balance');
  }

  async function close(): Promise<void> {
    const chargeMicros = rate(accountId) - billedMicros;
    billedMicros += chargeMicros;
    await putInvoice(money(), chargeMicros);
  }

  const moves = [topUp, topUp, raiseLimit, payByCard, payByBalance, close, close] as const;
  return {
    move: () => random.pick(moves)(),
    compare(acceptedMicros) {
      if (acceptedMicros <= fundedMicros) return [];
      return [`${accountId} has spent ${acceptedMicros} of the ${fundedMicros} that it had`];
    },
    async compareLeft() {
      const rows = (await listCapsOf(world.owner, [accountId])).filter(({ scope }) => scope === 'balance');
      const [cap] = await createFillBalances(world.rules)(world.owner, rows, { atMs: world.nowMs });
      const left = cap && roomIn(cap);
      const expected = fundedMicros - rate(accountId);
      return left === expected ? [] : [`${accountId} has ${left} left, not ${expected}`];
    },
  };
}
