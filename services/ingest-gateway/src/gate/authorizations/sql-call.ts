import { onlyRow, type Queryable, type Transaction } from '@tollgate/database/database';
import { toIso } from '@tollgate/kernel/clock';
import type { Hold } from './hold.ts';
import { anew } from './sql-hold.ts';

/** A call of a book that is to be captured. */
export interface CallCapture {
  readonly holdId: string;
  readonly callIndex: number;
  readonly eventId: string;
  readonly bodyHash: string;
  /** When its book expires, as far as the gateway knows: a book that expired may have been asked for anew. */
  readonly expiresAtMs: number;
}

const captureText = 'select gate.capture_calls($1, $2, $3, $4, $5) as captured';

/**
 * Captures calls of books, in one statement that decides by itself: a transaction is not needed. Returns whether it captured
 * all of them: it leaves out those whose books are not open. Throws a unique violation, and captures none, if one of them is
 * captured already.
 */
export async function captureCalls(db: Queryable, calls: readonly CallCapture[]): Promise<boolean> {
  if (calls.length === 0) return true;
  const rows = await db.query<{ captured: bigint }>({ name: 'gate.capture_calls', text: captureText }, [
    calls.map(({ holdId }) => holdId),
    calls.map(({ callIndex }) => callIndex),
    calls.map(({ eventId }) => eventId),
    calls.map(({ bodyHash }) => bodyHash),
    calls.map(({ expiresAtMs }) => toIso(expiresAtMs)),
  ]);
  return onlyRow(rows).captured === BigInt(calls.length);
}

const findText = `select c.book_id, c.call_index, encode(c.body_hash, 'base64') as body_hash
  from unnest($1::uuid[], $2::smallint[]) as w (book_id, call_index) join gate.hold b on b.hold_id = w.book_id
  join gate.captured_call c on c.account_id = b.account_id and c.book_id = b.hold_id and c.call_index = w.call_index`;

export interface CapturedCall {
  readonly holdId: string;
  readonly callIndex: number;
  readonly bodyHash: string;
}

/** Finds those of the calls that are captured and not settled. */
export async function findCapturedCalls(
  tx: Transaction,
  calls: readonly { readonly holdId: string; readonly callIndex: number }[],
): Promise<CapturedCall[]> {
  if (calls.length === 0) return [];
  const rows = await tx.query<{ book_id: string; call_index: number; body_hash: string }>(
    anew('gate.find_captured_calls', findText),
    [calls.map(({ holdId }) => holdId), calls.map(({ callIndex }) => callIndex)],
  );
  return rows.map((row) => ({
    holdId: row.book_id,
    callIndex: row.call_index,
    bodyHash: Buffer.from(row.body_hash, 'base64').toString('base64url'),
  }));
}

const countText = `select count(*)::int as calls from gate.captured_call where account_id = $1 and book_id = $2`;

/** How many calls of a book are captured, and not settled. */
export async function countCapturedCalls(
  db: Queryable,
  { accountId, holdId }: Pick<Hold, 'accountId' | 'holdId'>,
): Promise<number> {
  const statement = anew('gate.count_captured_calls', countText);
  return onlyRow(await db.query<{ calls: number }>(statement, [accountId, holdId])).calls;
}

// The bit of a settled call stays in its book. One without an event needs none: its book has expired.
const endText = `with gone as (
    delete from gate.captured_call c using unnest($1::uuid[], $2::uuid[], $3::smallint[]) as w (account_id, book_id, call_index)
    where c.account_id = w.account_id and c.book_id = w.book_id and c.call_index = w.call_index
    returning c.book_id, c.micros
  ), sum as (
    select book_id, sum(micros) as micros, count(*) as calls from gone group by book_id
  )
  update gate.hold b set held_micros = b.held_micros - s.micros, charged_micros = t.charged, charged_of_caps = t.of_caps::bigint[],
    settled_calls = b.settled_calls | t.settled::varbit
  from sum s join unnest($4::uuid[], $5::bigint[], $6::text[], $7::text[]) as t (book_id, charged, of_caps, settled) using (book_id)
  where b.hold_id = s.book_id
  returning b.hold_id, s.micros::bigint as micros, s.calls::int as calls`;

/** Captured calls of a book: some are settled, and the others can have no event any more. */
export interface EndedCalls {
  readonly accountId: string;
  readonly bookId: string;
  readonly callCount: number;
  readonly settled: readonly number[];
  readonly expired: readonly number[];
  /** The charge of all its calls until now; null before the first. */
  readonly chargedMicros: bigint | null;
  /** The same in the window of each cap. */
  readonly chargedOfCaps: readonly bigint[];
}

/** Deletes the calls. Returns what each book had held for them: the caller, who has locked the books, moves it. */
export async function endCalls(tx: Transaction, books: readonly EndedCalls[]): Promise<Map<string, bigint>> {
  if (books.length === 0) return new Map();
  const calls = books.flatMap(({ accountId, bookId, settled, expired }) =>
    [...settled, ...expired].map((callIndex) => ({ accountId, bookId, callIndex })),
  );
  const rows = await tx.query<{ hold_id: string; micros: bigint; calls: number }>(anew('gate.end_calls', endText), [
    calls.map(({ accountId }) => accountId),
    calls.map(({ bookId }) => bookId),
    calls.map(({ callIndex }) => callIndex),
    books.map(({ bookId }) => bookId),
    books.map(({ chargedMicros }) => chargedMicros?.toString() ?? null),
    books.map(({ chargedOfCaps }) => `{${chargedOfCaps.join(',')}}`),
    books.map(toBits),
  ]);
  const ended = rows.reduce((sum, row) => sum + row.calls, 0);
  if (ended !== calls.length) throw new Error(`${ended} of ${calls.length} captured calls were there to be ended`);
  return new Map(rows.map((row) => [row.hold_id, row.micros]));
}

function toBits({ callCount, settled }: EndedCalls): string {
  const bits = Array.from({ length: callCount }, () => '0');
  for (const callIndex of settled) bits[callIndex] = '1';
  return bits.join('');
}
