import { beforeEach, describe, expect, it } from '@jest/globals';
import { toIso } from '@tollgate/kernel/clock';
import { batchOf, countingFixture, startMs, topic, usageEvent } from '../support/counting-fixture.ts';

const fixture = countingFixture();
beforeEach(() => fixture.reset());

/** A captured event whose hold expires at this time. */
function heldUntil(holdExpiresAtMs: number, key: string) {
  return { ...usageEvent({ key }), hold_expires_at: toIso(holdExpiresAtMs) };
}

function watermarkStandsAt(ms: number): Promise<unknown> {
  return fixture.owner.query('update usage.cursor set counted_through = $2 where topic = $1', [topic, toIso(ms)]);
}

describe('an event whose money a gate holds', () => {
  it('F104 does not count once the watermark has passed its hold: it is a dead letter, and its partition goes on', async () => {
    await watermarkStandsAt(startMs + 60_000);
    await fixture.newReader()(
      batchOf([heldUntil(startMs + 60_000, 'freed'), heldUntil(startMs + 60_001, 'held'), usageEvent()]),
    );
    expect(await fixture.count('usage.event')).toBe(2);
    expect(await fixture.valueOf('select code from usage.dead_letter')).toBe('authorization_not_open');
  });

  it('F104 counts while the watermark has not passed its hold, however far its own batch moves it', async () => {
    await watermarkStandsAt(startMs);
    const later = usageEvent({ received_at: toIso(startMs + 3_600_000) });
    fixture.clock.set(startMs + 3_600_000);
    await fixture.newReader()(batchOf([heldUntil(startMs + 1, 'held'), later]));
    expect(await fixture.count('usage.event')).toBe(2);
  });

  it('F104 counts the second record of an id when the first of them came too late', async () => {
    await watermarkStandsAt(startMs + 60_000);
    await fixture.newReader()(batchOf([heldUntil(startMs, 'again'), heldUntil(startMs + 90_000, 'again')]));
    expect(await fixture.count('usage.event')).toBe(1);
  });
});
