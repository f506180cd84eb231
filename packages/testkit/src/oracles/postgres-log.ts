import { eventually } from '../eventually.ts';
import { eventIdOf, type JudgedLog } from './judged-log.ts';

interface BatchRow {
  readonly topic: string;
  readonly partition: number;
  readonly next_offset: string;
  readonly payload: Buffer;
}

const lengthBytes = 4;

const uncounted = `select p.topic, p.partition from event_log.partition p
  left join usage.cursor c using (topic, partition) where c.next_offset is distinct from p.next_offset`;

/** A log in PostgreSQL, read from its stored bytes: lengths of key, value and traceparent; key, traceparent, value. */
export const postgresLog: JudgedLog = {
  async waitUntilDrained(client, { withinMs }) {
    await eventually(async () => (await client.query(uncounted)).rowCount === 0, { withinMs, everyMs: 100 });
  },
  async eachIds(client, onIds) {
    const { rows } = await client.query<BatchRow>(
      'select topic, partition, next_offset, payload from event_log.record_batch order by 1, 2, 3',
    );
    for (const { payload } of rows) await onIds(valuesIn(payload).map((value) => eventIdOf(value.toString('utf8'))));
  },
};

function valuesIn(payload: Buffer): Buffer[] {
  const values: Buffer[] = [];
  for (let at = 0; at < payload.length;) {
    const keyStart = at + 2 * lengthBytes + 1;
    const valueStart = keyStart + payload.readUInt32BE(at) + payload.readUInt8(at + 2 * lengthBytes);
    const valueEnd = valueStart + payload.readUInt32BE(at + lengthBytes);
    values.push(payload.subarray(valueStart, valueEnd));
    at = valueEnd;
  }
  return values;
}
