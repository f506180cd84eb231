import { expect, it } from '@jest/globals';
import { parseUsd } from '@tollgate/kernel/money';
import { eventually } from '@tollgate/testkit/eventually';
import { lockBuilderGross, setBuilderGross } from '../../src/fees/sql-builder-gross.ts';
import { isLockAwaited } from '../support/is-lock-awaited.ts';
import { useDatabase } from '../support/use-database.ts';

const builderId = '0000000a-0000-4000-8000-000000000000';
const january = { builderId, grossKey: '2026-01' };
const february = { builderId, grossKey: '2026-02' };
const db = useDatabase();

it('F54 who has waited for a builder’s gross sees the months that came meanwhile', async () => {
  await db.worker.transaction((tx) => lockBuilderGross(tx, [january]));
  const released = new Map([[builderId, new Map([['2026-02', parseUsd('2000')]])]]);
  let waiting: ReturnType<typeof lockBuilderGross> | undefined;
  await db.worker.transaction(async (tx) => {
    await lockBuilderGross(tx, [february]);
    await setBuilderGross(tx, released);
    waiting = db.worker.transaction((other) => lockBuilderGross(other, [january]));
    await eventually(() => isLockAwaited(db.worker), { withinMs: 5_000 });
  });
  expect((await waiting)?.get(builderId)).toEqual(
    new Map([
      ['2026-01', parseUsd('0')],
      ['2026-02', parseUsd('2000')],
    ]),
  );
});
