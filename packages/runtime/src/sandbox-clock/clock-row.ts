import { toIso } from '@tollgate/kernel/clock';
import type { Database, Transaction } from '@tollgate/database/database';

/** The row as it is now. The database computes it: processes on several machines have no other clock in common. */
export interface ClockRow {
  /** The clock's time now. If a move is not in force yet, its time when the move comes into force. */
  readonly nowMs: number;
  /** How long until the move comes into force. */
  readonly waitMs: number;
  readonly isFrozen: boolean;
  readonly moves: bigint;
}

/** How far the row may be behind a ticking clock. After the machine's clock stepped back, the clock advances by it (F49). */
export const heartbeatMs = 5_000;

/** How long before it comes into force a move is written. */
export const leadMsMax = 2_500;

interface DbClockRow {
  readonly stood_at: Date;
  readonly elapsed_ms: number;
  readonly is_frozen: boolean;
  readonly moves: bigint;
}

const selectRow = `select stood_at, is_frozen, moves,
    round(extract(epoch from clock_timestamp() - set_at) * 1000)::float8 as elapsed_ms
  from sandbox.clock_v1`;

/** Undefined: nobody has moved the clock, and time is the machine's. */
export async function readClockRow(database: Database): Promise<ClockRow | undefined> {
  const [row] = await database.query<DbClockRow>(selectRow);
  return row && fromDbClockRow(row);
}

function fromDbClockRow({ stood_at, elapsed_ms, is_frozen, moves }: DbClockRow): ClockRow {
  const stoodMs = stood_at.getTime();
  if (elapsed_ms < 0 && elapsed_ms >= -leadMsMax)
    return { nowMs: stoodMs, waitMs: -elapsed_ms, isFrozen: is_frozen, moves };
  // Further ahead: the machine's clock has stepped back. The clock was at most a heartbeat later, so it does not go back.
  const tickedMs = is_frozen ? 0 : elapsed_ms < 0 ? heartbeatMs : elapsed_ms;
  return { nowMs: stoodMs + tickedMs, waitMs: 0, isFrozen: is_frozen, moves };
}

/** True if the clock begins at `startMs` or has begun before; false if the database is not empty. Safe to repeat. */
export async function beginClockRow(database: Database, startMs: number): Promise<boolean> {
  const [row] = await database.query<{ begun: boolean }>('select sandbox.begin_clock($1) as begun', [toIso(startMs)]);
  return row?.begun === true;
}

export interface RowMove {
  readonly nowMs: number;
  readonly isFrozen: boolean;
  /** The `moves` of the row that the mover knows; 0 without a row. */
  readonly knownMoves: bigint;
  readonly leadMs: number;
}

const writeMove = `insert into sandbox.clock as c (stood_at, set_at, is_frozen, moves)
  select $1, clock_timestamp() + make_interval(secs => $4::float8 / 1000), $2, $3::bigint + 1
  on conflict (only_row) do update
    set stood_at = excluded.stood_at, set_at = excluded.set_at, is_frozen = excluded.is_frozen, moves = excluded.moves
    where c.moves = $3::bigint
  returning moves`;

/** False: somebody else has moved the clock meanwhile. */
export async function writeClockMove(tx: Transaction, move: RowMove): Promise<boolean> {
  const values = [toIso(move.nowMs), move.isFrozen, move.knownMoves, move.leadMs];
  return (await tx.query(writeMove, values)).length === 1;
}

const writeBeat = `update sandbox.clock c
  set stood_at = greatest(c.stood_at + (t.now - c.set_at), $1::timestamptz), set_at = t.now
  from (select clock_timestamp() as now) t where c.moves = $2 and not c.is_frozen`;

/** Writes the time of the ticking clock to the row. This is no move: followers have ticked as far. */
export async function writeClockBeat(
  database: Database,
  { nowMs, moves }: { readonly nowMs: number; readonly moves: bigint },
): Promise<void> {
  await database.query(writeBeat, [toIso(nowMs), moves]);
}
