import { expect, it } from '@jest/globals';
import { findFreePorts } from '@tollgate/testkit/find-free-ports';

import { blocksOf, paste, readPage } from './support/pasted-page.ts';
import { useStandalone } from './support/use-standalone.ts';

const [port = 0] = await findFreePorts(1);
const running = useStandalone({
  SMTP_URL: `smtp://127.0.0.1:${port}`,
  SMTP_TLS: 'off',
  MAIL_FROM: 'billing@example.com',
  PUBLIC_URL: 'https://tollgate.example',
});

it('docs/mail.md works as printed, pasted into one shell: a forgotten password is replaced by mail', async () => {
  const blocks = blocksOf(readPage('docs/mail.md'));
  expect(blocks.length).toBeGreaterThan(2);
  const first = `URL=${running.baseUrl} PATH="${process.env['PATH']}"`;
  const { outputs, stderr } = await paste(blocks, { first, adapt: (text) => text.replaceAll('2525', String(port)) });
  expect(stderr).toBe('');
  expect(outputs).toEqual(blocks.map(({ output }) => output));
});
