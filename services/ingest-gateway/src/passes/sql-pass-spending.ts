import type { Transaction } from '@tollgate/database/database';
import { toIso } from '@tollgate/kernel/clock';
import { micros, type Micros } from '@tollgate/kernel/money';
import type { StoredPass } from './pass.ts';
import { lockSettlement } from './lock-settlement.ts';
import { windowAt } from './spending-window.ts';

/** The charges of counted calls in a window, and the money that is held for others. */
export interface PassSpending {
  readonly spentMicros: Micros;
  readonly heldMicros: Micros;
}

interface SpendingRow {
  readonly owner_id: string;
  readonly spent_micros: bigint;
  readonly held_micros: bigint;
}

const spendingText = `select c.owner_id, c.spent_micros, c.held_micros
  from unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[]) as w (owner_id, window_start, window_end)
  join gate.cap_state c on c.scope = 'pass' and c.owner_id = w.owner_id and c.window_start = w.window_start
    and c.window_end = w.window_end`;

/** Finds the spending of passes in the present windows of their caps. A pass without a row there has none here. */
export async function findPassSpending(
  tx: Transaction,
  passes: readonly StoredPass[],
  nowMs: number,
): Promise<ReadonlyMap<string, PassSpending>> {
  const windows = passes.flatMap(({ passId, cap }) => (cap ? [{ passId, ...windowAt(cap.window, nowMs) }] : []));
  if (windows.length === 0) return new Map();
  const rows = await tx.query<SpendingRow>({ name: 'gate.find_pass_spending', text: spendingText }, [
    windows.map(({ passId }) => passId),
    windows.map(({ startMs }) => toIso(startMs)),
    windows.map(({ endMs }) => toIso(endMs)),
  ]);
  return new Map(
    rows.map((row) => [row.owner_id, { spentMicros: micros(row.spent_micros), heldMicros: micros(row.held_micros) }]),
  );
}

const lockText = `select cap_id from gate.cap_state where scope = 'pass' and owner_id = $1 order by cap_id for update`;
const dropText = `delete from gate.cap_state where scope = 'pass' and owner_id = $1`;
const changeText = `update gate.cap_state set cap_micros = $2 where scope = 'pass' and owner_id = $1`;

/**
 * Makes the rows of a pass's cap agree with its new cap: the new amount counts for the next call at any gateway. Rows of
 * another kind of window are made anew when they are needed.
 */
export async function changePassCap(
  tx: Transaction,
  before: StoredPass,
  { cap }: Pick<StoredPass, 'cap'>,
): Promise<void> {
  const { accountId, passId } = before;
  await lockSettlement(tx, accountId);
  await tx.query({ name: 'gate.lock_caps_of_pass', text: lockText }, [passId]);
  if (cap === undefined || cap.window !== before.cap?.window)
    await tx.query({ name: 'gate.drop_caps_of_pass', text: dropText }, [passId]);
  else await tx.query({ name: 'gate.change_caps_of_pass', text: changeText }, [passId, cap.amountMicros.toString()]);
}
