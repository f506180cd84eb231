import type { Database } from '@tollgate/database/database';
import type { Pass } from '../../../src/passes/pass.ts';

/** Held is the sum of the live holds and of the lines, and spent what the settled ones came to. Answers what differs. */
export async function compareHeld(owner: Database): Promise<string[]> {
  const rows = await owner.query<{ what: string }>(
    `select format('%s: spent %s, unheld %s, settled %s, held %s, live %s', c.owner_id, c.spent_micros, c.unheld_micros, h.settled, c.held_micros, h.live) as what
     from gate.cap_state c cross join lateral (
       select coalesce(sum(micros) filter (where state in ('open', 'captured')), 0) + (
           select coalesce(sum(l.held_micros), 0) from gate.line l where l.account_id = c.account_id and (c.scope = 'balance' or
             c.scope = 'account' and c.window_start = (l.period || '-01')::timestamp at time zone 'UTC'
             and c.window_end = ((l.period || '-01')::timestamp + interval '1 month') at time zone 'UTC')) as live,
         coalesce(sum(coalesce(of_cap.charged, case c.scope when 'pass' then least(charged_micros, micros) else charged_micros end)) filter (
           where of_cap.charged is not null or occurred_at >= c.window_start and occurred_at < c.window_end), 0) as settled
       from gate.hold_v1 cross join lateral unnest(cap_ids, charged_of_caps) as of_cap (cap_id, charged)
       where of_cap.cap_id = c.cap_id
     ) h where c.held_micros <> h.live or c.spent_micros <> c.unheld_micros + h.settled`,
  );
  return rows.map(({ what }) => what);
}

/** Compares the spending of a pass with the charges of its events, and of those of all passes below it, each when it was settled. */
export async function comparePass(owner: Database, { passId, cap }: Pass): Promise<string[]> {
  const rows = await owner.query<{ spent: bigint; charged: bigint }>(
    `select c.spent_micros as spent, coalesce((
         select sum(coalesce(of_cap.charged, least(h.charged_micros, h.held_micros))) from gate.hold h
         left join lateral unnest(h.cap_ids, h.charged_of_caps) as of_cap (cap_id, charged) on of_cap.cap_id = c.cap_id
         where (h.pass_id = $1 or h.pass_id in (select pass_id from gate.pass where $1 = any (ancestor_ids))) and (of_cap.charged is not null or h.state = 'settled'
           and h.occurred_at >= c.window_start and h.occurred_at < c.window_end)), 0)::bigint as charged
     from gate.cap_state c where c.scope = 'pass' and c.owner_id = $1`,
    [passId],
  );
  const differences = cap === undefined && rows.length > 0 ? [`${passId} has no cap, and a row`] : [];
  for (const { spent, charged } of rows) {
    if (spent !== charged) differences.push(`pass ${passId} has spent ${spent}, and its events came to ${charged}`);
    if (cap !== undefined && spent > cap.amountMicros)
      differences.push(`pass ${passId} has spent ${spent} of ${cap.amountMicros}`);
  }
  return differences;
}

/** An account has spent in each month what its counted events come to, and was charged the same in all. */
export async function compareSpent(
  owner: Database,
  accountId: string,
  counted: ReadonlyMap<string, bigint>,
): Promise<string[]> {
  const [charged] = await owner.query<{ micros: bigint }>(
    `select coalesce(sum(charged_micros), 0)::bigint as micros from gate.hold
     where account_id = $1 and (state = 'settled' or call_count > 1)`,
    [accountId],
  );
  const spent = await owner.query<{ period: string; micros: bigint }>(
    `select to_char(window_start at time zone 'UTC', 'YYYY-MM') as period, sum(spent_micros)::bigint as micros
     from gate.cap_state where owner_id = $1 and scope = 'account' group by 1`,
    [accountId],
  );
  const all = [...counted.values()].reduce((sum, amount) => sum + amount, 0n);
  const unlike = spent
    .filter(({ period, micros }) => micros !== (counted.get(period) ?? 0n))
    .map(({ period, micros }) => `${accountId} has spent ${micros} in ${period}, not ${counted.get(period)}`);
  return charged?.micros === all ? unlike : [...unlike, `${accountId} was charged ${charged?.micros}, not ${all}`];
}
