import { describe, expect, it } from '@jest/globals';
import { ada } from '../support/cast.ts';
import { useCollection } from '../support/use-collection.ts';

/** Ada has 20 USD, and calls of January for 10.005. */
const fixture = useCollection({
  price: '1.0005',
  uses: { [ada]: 10 },
  now: '2026-01-10T00:00:00Z',
  then: ({ grant }) => grant(ada, 2_000n),
});

async function setLimit(cents: number | null, since = '2026-01-09T00:00:00Z'): Promise<void> {
  await fixture.owner.query(
    `insert into billing.credit_limit (account_id, limit_cents, changed_at) values ($1, $2, $3)
     on conflict (account_id) do update set limit_cents = excluded.limit_cents, changed_at = excluded.changed_at`,
    [ada, cents, since],
  );
}

/** As the gateway leaves it: what the account's calls ever came to, and what is held. */
async function putRow(spent: bigint, held: bigint, from: string): Promise<void> {
  await fixture.owner.query(
    `insert into gate.cap_state (scope, owner_id, account_id, window_start, window_end, cap_micros, spent_micros, held_micros, alerts, unheld_micros)
     values ('balance', $1, $1, $2, '9999-12-31Z', 0, $3, $4, '{}', $3)`,
    [ada, from, String(spent), String(held)],
  );
}

/** Available, held and what is not billed, in micro-dollars. */
async function shown(): Promise<unknown[]> {
  const { availableMicros, heldMicros, bound } = await fixture.findBalance(ada);
  return [availableMicros, heldMicros, bound?.unbilledMicros];
}

describe('what an account is shown of its balance', () => {
  it('F238 is its whole balance, where that bounds no calls', async () => {
    expect(await shown()).toEqual([20_000_000n, 0n, undefined]);
    await setLimit(null);
    await putRow(10_005_000n, 1_000_000n, '2025-12-01Z'); // the row of a limit that was taken away
    expect(await shown()).toEqual([20_000_000n, 0n, undefined]);
  });

  it('F238 is the room of the gate’s row, before and after a close', async () => {
    await putRow(10_005_000n, 1_000_000n, 'epoch');
    expect(await shown()).toEqual([8_995_000n, 1_000_000n, 10_005_000n]);
    await setLimit(500);
    expect(await shown()).toEqual([13_995_000n, 1_000_000n, 10_005_000n]);
    await fixture.reach('2026-02-02T00:00:00Z'); // the balance pays 10.00, and less than a cent is carried on
    expect(await fixture.findBalance(ada)).toMatchObject({
      balanceMicros: 10_000_000n,
      availableMicros: 13_995_000n,
      bound: { owedMicros: 5_000n, unbilledMicros: 0n, creditLimitMicros: 5_000_000n },
    });
  });

  it('F238 has its calls taken off, where a limit is set and no call has come since', async () => {
    await setLimit(500);
    expect(await shown()).toEqual([14_995_000n, 0n, 10_005_000n]);
    await fixture.reach('2026-02-02T00:00:00Z');
    await fixture.addUsage({ consumerId: ada, tool: 'search', hour: '2026-02-01T00:00:00Z', calls: 1 });
    expect(await shown()).toEqual([13_994_500n, 0n, 1_000_500n]);
  });

  it('F238 is less by a credit that has expired and is still on it', async () => {
    await fixture.grant(ada, 300n, { expires: '2026-01-11T00:00:00Z' });
    fixture.clock.set(Date.parse('2026-01-11T00:00:00Z'));
    expect(await shown()).toEqual([20_000_000n, 3_000_000n, undefined]);
  });
});
