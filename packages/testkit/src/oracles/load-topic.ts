import type pg from 'pg';

import { eachOfTopic } from '../kafka/read-topic.ts';
import { createRows } from './create-rows.ts';

const table = `
  create schema if not exists oracle;
  drop table if exists oracle.log;
  create unlogged table oracle.log (event_id uuid)`;

/** The id of every record of the topic, as often as it is there. */
export async function loadTopic(client: pg.Client, address: string, topic: string): Promise<void> {
  await client.query(table);
  const rows = createRows(client, 'insert into oracle.log select * from unnest($1::uuid[])');
  await eachOfTopic(address, topic, async (values) => {
    for (const value of values) await rows.add([idOf(value)]);
  });
  await rows.flush();
}

function idOf(value: string): string {
  const record = JSON.parse(value) as { event_id: string }; // the load sends nothing that is no event
  return record.event_id;
}
