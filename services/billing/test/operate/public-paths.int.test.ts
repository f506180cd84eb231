import { expect, it } from '@jest/globals';
import { useBilling } from '../support/start-billing.ts';

const billing = useBilling();

it('/readyz says what the process can reach', async () => {
  const checks = { catalogue: 'ok', credentials: 'ok' };
  expect(await billing.send('GET', '/readyz?verbose')).toMatchObject({ status: 200, body: { status: 'ok', checks } });
});

it('/openapi.json has the version of the service', async () => {
  const { body } = await billing.send('GET', '/openapi.json');
  expect(body).toMatchObject({ openapi: '3.1.0', info: { title: 'Tollgate', version: '0.1.0' } });
});
