import type pg from 'pg';

interface BatchRow {
  readonly topic: string;
  readonly partition: number;
  readonly next_offset: string;
  readonly payload: Buffer;
}

const lengthBytes = 4;

/**
 * The ids of every record in the log, as often as they are there. Reads the stored bytes by itself (key length, value
 * length, key, value), so that it shares no mistake with the reader that is being judged.
 */
export async function readLogIds(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<BatchRow>(
    'select topic, partition, next_offset, payload from event_log.record_batch order by 1, 2, 3',
  );
  return rows.flatMap(({ payload }) => valuesIn(payload).map(idOf));
}

function valuesIn(payload: Buffer): Buffer[] {
  const values: Buffer[] = [];
  for (let at = 0; at < payload.length;) {
    const valueStart = at + 2 * lengthBytes + payload.readUInt32BE(at);
    const valueEnd = valueStart + payload.readUInt32BE(at + lengthBytes);
    values.push(payload.subarray(valueStart, valueEnd));
    at = valueEnd;
  }
  return values;
}

function idOf(value: Buffer): string {
  const record = JSON.parse(value.toString('utf8')) as { event_id: string }; // the load sends nothing that is no event
  return record.event_id;
}
