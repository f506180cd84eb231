import { expect, it } from '@jest/globals';
import { useBilling } from '../support/start-billing.ts';

const billing = useBilling();

it('F161 /readyz names no part to strangers', async () => {
  expect(await billing.send('GET', '/readyz?verbose')).toMatchObject({ status: 200 });
  expect((await billing.send('GET', '/readyz?verbose')).body).toEqual({ status: 'ok' });
});

it('/openapi.json has the version of the service', async () => {
  const { body } = await billing.send('GET', '/openapi.json');
  expect(body).toMatchObject({ openapi: '3.1.0', info: { title: 'Tollgate', version: '0.1.0' } });
});
