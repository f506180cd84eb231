import { expect, it } from '@jest/globals';

import { blocksOf, paste, readPage } from './support/pasted-page.ts';
import { useStandalone } from './support/use-standalone.ts';

const running = useStandalone();

async function newKey(email: string): Promise<string> {
  const account = { email, password: 'correct horse battery' };
  const registered = await running.send<{ access_token: string }>('POST', '/v1/auth/register', { body: account });
  const token = registered.body.access_token;
  const made = await running.send<{ key: string }>('POST', '/v1/api-keys', { token, body: { name: 'page' } });
  return made.body.key;
}

it.each(['docs/charging.md', 'docs/limits.md', 'docs/mcp.md', 'docs/embeds.md'])(
  '%s works as printed, pasted into one shell',
  async (path) => {
    const page = readPage(path);
    const blocks = blocksOf(page);
    expect(blocks.length).toBeGreaterThan(2);
    expect(blocks.length).toBe(page.split('```sh\n').length - 1); // none lacks its output, which would not be pasted
    const name = path.replaceAll(/\W/g, '-');
    const [builder, consumer] = [await newKey(`builder@${name}.example`), await newKey(`consumer@${name}.example`)];
    const names = `TOLLGATE_URL=${running.baseUrl} TOLLGATE_API_KEY=${builder}`; // the names that programs read
    const first = `URL=${running.baseUrl} BUILDER=${builder} CONSUMER=${consumer} ${names}`;
    const { outputs, stderr } = await paste(blocks, { first, adapt: (commands) => commands });
    expect(stderr).toBe('');
    expect(outputs).toEqual(blocks.map(({ output }) => output));
  },
);
