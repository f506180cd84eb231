import { randomUUID } from 'node:crypto';
import { usageEventsTopic } from '@tollgate/contracts/events/event-record';
import { frameRecords } from '@tollgate/event-log/record-framing';
import { eventually } from '@tollgate/testkit/eventually';
import { ownerUrlOf, withOracleDatabase } from '@tollgate/testkit/oracles/oracle-database';
import type { Product } from '../open-product.ts';
import { registerAccount } from '../register-cast.ts';

export interface Clock {
  readonly now: string;
  readonly frozen: boolean;
  readonly worked_through: string | null;
}

export interface DeadLetter {
  readonly id: string;
  readonly event_id: string | null;
  readonly replayed_as: string | null;
}

/** The requests of an operator, and of an account beside it, to a product. */
export function operatorOf({ client, dataDir }: Product, operatorToken: string) {
  const ask = async <Body>(method: string, path: string, body?: object): Promise<Body> => {
    const answer = await client<Body>(method, path, { token: operatorToken, ...(body && { body }) });
    if (answer.status !== 200 && answer.status !== 202)
      throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  };
  const clock = () => ask<Clock>('GET', '/v1/sandbox/clock');
  const query = <Row extends object>(text: string, values: unknown[]) =>
    withOracleDatabase(ownerUrlOf(dataDir), async (database) => (await database.query<Row>(text, values)).rows);

  return {
    ask,
    query,
    clock,
    /** Resolves when the work that became due is done. */
    async move(body: object): Promise<Clock> {
      const moved = await ask<Clock>('POST', '/v1/sandbox/clock', body);
      const isDone = ({ worked_through: through }: Clock) => (through ?? '') >= moved.now;
      await eventually(async () => isDone(moved) || isDone(await clock()), { withinMs: 120_000 });
      return moved;
    },
    nowMs: async () => Date.parse((await clock()).now),

    async countedThroughMs(): Promise<number> {
      const { counted_through } = await ask<{ counted_through: string }>('GET', '/v1/operator/periods/2023-11');
      return Date.parse(counted_through);
    },

    async deadLetters(filter = ''): Promise<DeadLetter[]> {
      return (await ask<{ dead_letters: DeadLetter[] }>('GET', `/v1/operator/dead-letters${filter}`)).dead_letters;
    },

    /** Appends a record to the log past the gateway, as a faulty program could. */
    async append(record: Uint8Array): Promise<void> {
      const { now } = await clock();
      const payload = frameRecords([{ key: 'k', value: record }]);
      await query('select event_log.ensure_segment($1)', [now.slice(0, 10)]);
      const batch = [usageEventsTopic, [0], [1], [payload.length], payload, now];
      await query('select event_log.append($1, $2, $3, $4, $5, $6)', batch);
    },

    async newAccount(): Promise<{ token: string; accountId: string }> {
      const token = await registerAccount(client, randomUUID());
      const { body } = await client<{ account_id: string }>('GET', '/v1/auth/me', { token });
      return { token, accountId: body.account_id };
    },

    async newTool(token: string): Promise<string> {
      const slug = `tool-${randomUUID()}`;
      const body = { slug, name: slug, price: { per_call_usd: '0.002' } };
      const answer = await client('POST', '/v1/tools', { token, body });
      if (answer.status !== 201) throw new Error(answer.text);
      return slug;
    },
  };
}
