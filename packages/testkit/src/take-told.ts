import { expect } from '@jest/globals';
import { webhookTypes, type WebhookType } from '@tollgate/contracts/webhooks/webhook-types';
import type { Queryable } from '@tollgate/database/database';

export interface Told {
  readonly type: string;
  /** Null: the operator alone is told. */
  readonly account_id: string | null;
  readonly data: Record<string, unknown>;
}

const types: Readonly<Record<string, WebhookType>> = webhookTypes;

/** Takes what is told out of the outbox of a schema, as the notifier does. Each `data` has the form that its type promises, and is small. */
export async function takeTold(
  owner: Pick<Queryable, 'query'>,
  schema: 'auth' | 'billing' | 'gate' | 'usage',
): Promise<Told[]> {
  const rows = await owner.query<Told & { version: bigint }>(
    `select * from ${schema}.take_outbox(1000) order by version`,
  );
  for (const { type, account_id: accountId, data, version } of rows) {
    expect({ type, data: types[type]?.data.strict().parse(data) }).toEqual({ type, data });
    expect(data).toMatchObject({ version: Number(version), ...(accountId !== null && { account_id: accountId }) });
    expect(JSON.stringify(data).length).toBeLessThan(20_000);
  }
  return rows;
}

export const typesOf = (told: readonly Told[]) => told.map(({ type }) => type);

/** The data of the first event of this type. */
export function dataOf(told: readonly Told[], type: string): Record<string, unknown> {
  const first = told.find((each) => each.type === type);
  if (first === undefined) throw new Error(`${type} was not told, only ${typesOf(told).join(', ')}`);
  return first.data;
}

export const withoutVersion = (data: object) =>
  Object.fromEntries(Object.entries(data).filter(([name]) => name !== 'version'));
