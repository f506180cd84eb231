import { beforeAll, describe, expect, it } from '@jest/globals';
import { recordEvents } from '../../src/counting/sql-record-events.ts';
import { countingFixture, usageEvent } from '../support/counting-fixture.ts';

const toolsMax = 20_000;
const fixture = countingFixture();

beforeAll(async () => {
  await fixture.owner.query(
    `insert into billing.tool (tool_id, owner_id, name, created_at)
     select 'tool-' || n, gen_random_uuid(), 'Tool', now() from generate_series(1, ${toolsMax}) n`,
  );
  await fixture.owner.query(
    `insert into billing.tool_price (price_id, tool_id, price, measures, created_at)
     select gen_random_uuid(), tool_id, '{}', '{tokens}', now() from billing.tool`,
  );
  await fixture.owner.query('analyze billing.tool, billing.tool_price');
});

describe('counting beside a catalogue of 20,000 tools', () => {
  it('reads the prices of the tools that were called, and of no others', async () => {
    const events = ['tool-7', 'tool-7', 'tool-19999'].map((tool) => ({
      event: usageEvent({ tool_id: tool, metadata: { tokens: 3 } }),
      offset: 0n,
      bytes: Buffer.alloc(0),
    }));
    await fixture.dayTables.ensure([events[0]?.event.occurred_at.slice(0, 10) ?? '']);
    const pricesRead = await fixture.database.transaction(async (tx) => {
      await recordEvents(tx, events);
      const [row] = await tx.query<{ reads: bigint }>(
        `select coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) as reads
         from pg_stat_xact_user_tables where schemaname = 'billing' and relname = 'tool_price'`,
      );
      return Number(row?.reads);
    });
    expect(pricesRead).toBe(2);
    expect(await fixture.rollups()).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/ tool-7 .* tokens 6$/),
        expect.stringMatching(/ tool-19999 .* tokens 3$/),
      ]),
    );
  });
});
