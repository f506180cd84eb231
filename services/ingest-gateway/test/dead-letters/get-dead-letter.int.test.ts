import { beforeAll, describe, expect, it } from '@jest/globals';
import { putDeadLetter } from '../support/put-dead-letter.ts';
import { operatorToken as token, useGatewayWithOperator } from '../support/use-gateway.ts';

const path = '/v1/operator/dead-letters';
const gateway = useGatewayWithOperator();
const record = Buffer.from([0, 255, 123, 10]); // no text in any encoding
let id: string;

beforeAll(async () => {
  id = await putDeadLetter(gateway.owner, { offset: 7, partition: 2, storedAtMs: gateway.clock.now(), record });
});

describe(`GET ${path}/{id}: 200`, () => {
  it('shows the reason and the bytes, also for a percent-encoded id', async () => {
    for (const form of [id, encodeURIComponent(id)]) {
      const { status, body } = await gateway.send('GET', `${path}/${form}`, { token });
      expect(status).toBe(200);
      expect(body).toMatchObject({ id, code: 'invalid_json', record_base64: record.toString('base64') });
    }
  });
});

describe(`GET ${path}/{id}: 404`, () => {
  it.each(['usage.events.v1:2:8', 'usage.events.v2:2:7', 'usage.events.v1:2:-7', 'nothing', 'usage.events.v1:2:7:1'])(
    'is the answer for %s',
    async (unknown) => {
      const { status, body } = await gateway.send('GET', `${path}/${unknown}`, { token });
      expect([status, body['code']]).toEqual([404, 'not_found']);
    },
  );
});
