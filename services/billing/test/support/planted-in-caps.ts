import { plant, type PlantedRow } from './plant-sql.ts';
import { consumer, otherConsumer } from './reconciled-month.ts';

const ofMonth = (change: string) => `update gate.cap_state set ${change} where owner_id = '${consumer}'`;
const ofPass = (change: string) => `update gate.cap_state set ${change} where scope = 'pass'`;

/** Differences in spending caps. */
export const capRows: readonly PlantedRow[] = [
  plant(
    'what an account has spent',
    /caps_usage: cap of the account 1000000a.* from 2024-01-01: spent 4499999, its usage comes to 4500000/,
  )`
    ${ofMonth('spent_micros = spent_micros - 1')}`,
  plant(
    'what an account has spent, with what it spent without holds',
    /caps_usage: .*: spent 4499999, its usage comes to 4500000/,
  )`
    ${ofMonth('spent_micros = spent_micros - 1, unheld_micros = unheld_micros - 1')}`,
  plant('usage that a cap does not have', /caps_usage: .*: spent 4500000, its usage comes to 4510000/)`
    update usage.rollup set calls = calls + 1 where consumer_id = '${consumer}'`,
  plant(
    'a call that was settled and is not spent',
    /caps_usage: cap of the account 1000000b.*: spent 60000, its usage comes to 70000/,
  )`
    update gate.hold set state = 'settled', occurred_at = asked_at, charged_micros = held_micros where account_id = '${otherConsumer}'`,
  plant(
    'what a pass has spent',
    /caps_usage: cap of the pass aa00000a.*: spent 10001, its calls came to 10000 micro-dollars and 0 without holds/,
  )`
    ${ofPass('spent_micros = spent_micros + 1')}`,
  plant('what a call came to', /caps_usage: cap of the pass .*: spent 10000, its calls came to 9999/)`
    update gate.hold set charged_micros = charged_micros - 1`,
  ['what is held', ofPass('held_micros = 0'), /caps_usage: cap of the pass .*: held 0, its holds 20000/],
  plant('a hold that is gone', /caps_usage: cap of the account .*: held 20000, its holds 0/)`
    delete from gate.hold where state = 'open'`,
  plant('a hold that was released and is still held', /caps_usage: cap of the pass .*: held 20000, its holds 0/)`
    update gate.hold set state = 'released' where state = 'open'`,
];
