import { expect, it } from '@jest/globals';
import { findFreePorts } from '@tollgate/testkit/find-free-ports';

import { blocksOf, paste, readPage } from './support/pasted-page.ts';
import { useStandalone } from './support/use-standalone.ts';

const operator = 'the-operator-of-these-tests-nobody-else';
const running = useStandalone({ OUTGOING_ALLOW: 'loopback', OPERATOR_TOKEN: operator });

it('docs/webhooks.md works as printed, pasted into one shell: an account is told what happens', async () => {
  const blocks = blocksOf(readPage('docs/webhooks.md'));
  expect(blocks.length).toBeGreaterThan(2);
  const account = { email: 'told@example.com', password: 'correct horse battery' };
  const { body } = await running.send<{ access_token: string }>('POST', '/v1/auth/register', { body: account });
  const me = await running.send<{ account_id: string }>('GET', '/v1/auth/me', { token: body.access_token });
  const names = `OPERATOR=${operator} ACCOUNT=${me.body.account_id}`;
  const first = `URL=${running.baseUrl} CONSUMER=${body.access_token} ${names} PATH="${process.env['PATH']}"`;
  const [port = 0] = await findFreePorts(1);
  const { outputs, stderr } = await paste(blocks, { first, adapt: (text) => text.replaceAll('9100', String(port)) });
  expect(stderr).toBe('');
  expect(outputs).toEqual(blocks.map(({ output }) => output));
});
