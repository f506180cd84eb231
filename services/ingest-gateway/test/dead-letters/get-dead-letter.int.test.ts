import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startGateway, type GatewayUnderTest } from '../support/gateway-under-test.ts';
import { putDeadLetter } from '../support/put-dead-letter.ts';

const token = 'the-operator-of-these-tests-nobody-else';
const path = '/v1/operator/dead-letters';

let gateway: GatewayUnderTest;
let id: string;
const record = Buffer.from([0, 255, 123, 10]); // no text in any encoding
beforeAll(async () => {
  gateway = await startGateway({ settings: { OPERATOR_TOKEN: token } });
  id = await putDeadLetter(gateway.owner, { offset: 7, partition: 2, storedAtMs: gateway.clock.now(), record });
});
afterAll(() => gateway.stop());

describe(`GET ${path}/{id}: 200`, () => {
  it('shows the reason and the bytes', async () => {
    const { status, body } = await gateway.send('GET', `${path}/${id}`, { token });
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, code: 'invalid_json', record_base64: record.toString('base64') });
  });

  it('takes the id percent-encoded as well', async () => {
    expect(await gateway.send('GET', `${path}/${encodeURIComponent(id)}`, { token })).toMatchObject({ status: 200 });
  });
});

describe(`GET ${path}/{id}: 401`, () => {
  it('refuses who is nobody', async () => {
    expect(await gateway.send('GET', `${path}/${id}`)).toMatchObject({ status: 401 });
  });
});

describe(`GET ${path}/{id}: 404`, () => {
  it.each(['usage.events.v1:2:8', 'usage.events.v2:2:7', 'usage.events.v1:2:-7', 'nothing', 'usage.events.v1:2:7:1'])(
    'has no %s',
    async (unknown) => {
      expect(await gateway.send('GET', `${path}/${unknown}`, { token })).toMatchObject({
        status: 404,
        body: { code: 'not_found' },
      });
    },
  );

  it('is not there for an account', async () => {
    expect(await gateway.send('GET', `${path}/${id}`, await gateway.newAccount())).toMatchObject({ status: 404 });
  });
});
