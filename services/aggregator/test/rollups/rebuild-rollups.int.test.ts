import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { toIso } from '@tollgate/kernel/clock';
import { rebuildRollups } from '../../src/rollups/rebuild-rollups.ts';
import { batchOf, consumerId, countingFixture, hour, startMs, usageEvent } from '../support/counting-fixture.ts';

const fixture = countingFixture();
beforeAll(async () => {
  // The first price sums tokens, the one from 12:00 on sums pages, too.
  const tool = [randomUUID(), toIso(startMs)];
  await fixture.owner.query(
    "insert into billing.tool (tool_id, owner_id, name, created_at) values ('llm', $1, 'LLM', $2)",
    tool,
  );
  await fixture.owner.query(
    `insert into billing.tool_price (price_id, tool_id, effective_from, price, measures, created_at) values
     ($1, 'llm', null, '{}', '{tokens}', $3), ($2, 'llm', '2026-11-21T12:00:00Z', '{}', '{tokens,pages}', $3)`,
    [randomUUID(), randomUUID(), toIso(startMs)],
  );
});
beforeEach(() => fixture.reset());

const rebuild = (write: boolean) => rebuildRollups({ database: fixture.database, write });

const passes = [randomUUID(), randomUUID()];

const llm = (metadata: Record<string, string | number | boolean>, minutesAgo = 0) =>
  usageEvent({ tool_id: 'llm', metadata, occurred_at: toIso(startMs - minutesAgo * 60_000) });

describe('measures', () => {
  it('sums the metadata keys of the price in force at the time of the event, exactly', async () => {
    await fixture.newReader()(
      batchOf([llm({ tokens: 0.1, pages: 1 }), llm({ tokens: '0.2', other: 5 }), llm({ tokens: 10, pages: 3 }, 31)]),
    );
    expect((await fixture.rollups()).filter((line) => / (tokens|pages) /.test(line))).toEqual([
      `${consumerId} llm 2026-11-21 11:00:00 t tokens 10`,
      `${consumerId} llm ${hour} t pages 1`,
      `${consumerId} llm ${hour} t tokens 0.3`,
    ]);
  });

  it('F80 adds nothing for a value that is no number within the limits, and counts the call', async () => {
    const odd = [true, 'abc', '', '-1', -1, '1e3', 1e12, 1e-7, 'NaN', 'Infinity', '0x10', ' 1', '١'];
    odd.push('1000000000000', '0.0000001');
    await fixture.newReader()(batchOf(odd.map((tokens) => llm({ tokens }))));
    expect(await fixture.rollups()).toEqual([`${consumerId} llm ${hour} t ${odd.length} 0`]);
  });
});

describe('measures of passes', () => {
  it('F95 sums them by pass', async () => {
    const passId = randomUUID();
    const read = fixture.newReader();
    await read(batchOf([llm({ tokens: 1 }), { ...llm({ tokens: 0.1 }), pass_id: passId }]));
    await read(batchOf([{ ...llm({ tokens: '0.2' }), pass_id: passId }], 2n));
    expect((await fixture.rollups()).filter((line) => / tokens /.test(line))).toEqual([
      `${consumerId} llm ${hour} t tokens 0.3 ${passId}`,
      `${consumerId} llm ${hour} t tokens 1`,
    ]);
  });
});

describe('rebuild-rollups', () => {
  it('finds no difference between rollups counted batch by batch and a fold of all events', async () => {
    const events = Array.from({ length: 300 }, (_, index) =>
      usageEvent({
        tool_id: index % 2 ? 'llm' : 'weather',
        success: index % 7 > 0,
        duration_ms: index,
        occurred_at: toIso(startMs - index * 280_000),
        metadata: { tokens: index / 8, pages: `${index}.5` },
        ...(index % 3 === 0 && { pass_id: passes[index % 2] }),
      }),
    );
    const read = fixture.newReader();
    for (let at = 0; at < 300; at += 17) await read(batchOf(events.slice(at, at + 17), BigInt(at)));
    const result = await rebuild(false);
    expect(result).toMatchObject({ events: 300, differences: 0, examples: [], written: false });
    expect(result.rows).toBe((await fixture.rollups()).length);
  });

  it('F42 names the rows that were altered by hand, and repairs them on request', async () => {
    await fixture.newReader()(batchOf([llm({ tokens: 5 }), usageEvent()]));
    const right = await fixture.rollups();
    await fixture.owner.query("update usage.rollup set calls = 7 where tool_id = 'weather'");
    await fixture.owner.query('delete from usage.rollup_measure');
    const found = await rebuild(false);
    expect(found).toMatchObject({ differences: 3, written: false });
    expect(found.examples.join('\n')).toMatch(/kept {4}\S+ weather \d+ t calls 7 0/);
    expect(found.examples.join('\n')).toMatch(/rebuilt \S+ llm \d+ t measure "tokens" 5/);
    expect(await fixture.count('usage.late_usage')).toBe(0);
    expect(await rebuild(true)).toMatchObject({ differences: 3, written: true });
    expect(await fixture.count('usage.late_usage')).toBe(2); // the next close rates both tools again
    expect(await fixture.rollups()).toEqual(right);
    expect(await rebuild(false)).toMatchObject({ differences: 0 });
  });

  it('F95 names rows of passes that were altered by hand, and repairs them', async () => {
    const passId = randomUUID();
    await fixture.newReader()(batchOf([llm({ tokens: 5 }), { ...llm({ tokens: 6 }), pass_id: passId }]));
    const right = await fixture.rollups();
    // The sums of both together are right.
    await fixture.owner.query('update usage.rollup set calls = 2; delete from usage.pass_rollup');
    await fixture.owner.query('update usage.pass_rollup_measure set total = 7');
    const found = await rebuild(false);
    expect(found.differences).toBe(5);
    expect(found.examples.join('\n')).toContain(`measure "tokens" 7 by pass ${passId}`);
    expect(await rebuild(true)).toMatchObject({ differences: 5, written: true });
    expect(await fixture.rollups()).toEqual(right);
    expect(await rebuild(false)).toMatchObject({ differences: 0 });
  });

  it('leaves hours alone whose events are past their retention', async () => {
    await fixture.newReader()(batchOf([usageEvent()]));
    await fixture.owner.query("insert into usage.rollup values ($1, 'weather', '2020-01-01T00:00:00Z', true, 9, 9)", [
      consumerId,
    ]);
    expect(await rebuild(true)).toMatchObject({ differences: 0, written: false });
    expect(await fixture.rollups()).toHaveLength(2);
  });
});
