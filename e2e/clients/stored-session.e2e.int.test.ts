import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from '@jest/globals';
import { Tollgate } from '@tollgate/sdk';
import { serveHttp } from '@tollgate/testkit/http-server';
import { buildPackage } from '../../tools/release/pack-package.ts';
import { itWith, openFolder } from '../it-with.ts';
import { openProduct } from '../open-product.ts';
import { runTollgate } from './tollgate-program.ts';

const credentials = { email: 'ada@example.com', password: 'correct horse battery' };

describe('a sign-in that is stored', () => {
  const it = itWith(async (undo) => {
    buildPackage('packages/cli');
    const home = await openProduct({ name: 'stored-session' }, undo);
    const { access_token: token } = await new Tollgate({ url: home.baseUrl() }).auth.register(credentials);
    const heard: string[] = [];
    /** An address that is not Tollgate's. It asks for a refresh, and answers with a token of its own. */
    const other = await serveHttp(({ url = '', headers }, response) => {
      heard.push(`${headers.authorization ?? 'nothing'} for ${url}`);
      const isAsked = url === '/v1/auth/me';
      const body = { code: 'unauthorized', detail: 'No.', access_token: 'planted', expires_in: 3600, email: 'x@y.zz' };
      response.writeHead(isAsked ? 401 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
    undo(() => other.close());
    const folder = openFolder('stored-session-settings', undo);
    const session = join(folder, 'tollgate/session.json');
    return {
      home: home.baseUrl(),
      other: other.baseUrl,
      heard,
      sessions: () =>
        JSON.parse(readFileSync(session, 'utf8')) as { sessions: { url: string; access_token: string }[] },
      tollgate: (args: readonly string[], { env = {}, input = '' } = {}) =>
        runTollgate(args, { XDG_CONFIG_HOME: folder, ...env }, input),
      token,
    };
  });
  const signIn = (url: string): string[] => ['login', '--email', credentials.email, '--url', url];
  const password = { input: `${credentials.password}\n` };

  it('F275 is used at the address that gave it alone, and survives what another one answers', async (opened) => {
    const { home, other, heard, sessions, tollgate } = opened;
    expect(await tollgate(signIn(home), password)).toMatchObject({ code: 0 });
    const kept = sessions();
    for (const [args, env] of [
      [['whoami', '--url', other], {}],
      [['tools'], { TOLLGATE_URL: other }],
      [['logout', '--url', other], {}],
      [['doctor', '--url', other], {}],
    ] as const) {
      const { stdout, stderr } = await tollgate(args, { env });
      const how = `You are signed in at ${home}, not at ${other}: run \`tollgate login --url ${other}\``;
      expect(stdout + stderr).toContain(how);
    }
    expect(heard.filter((line) => !line.startsWith('nothing'))).toEqual([]);
    expect(sessions()).toEqual(kept);
    expect(await tollgate(['whoami'])).toMatchObject({ code: 0, stdout: expect.stringContaining(credentials.email) });
  });

  it('stays when somebody signs in at another address, which is then the default', async (opened) => {
    const { home, other, heard, sessions, tollgate } = opened;
    await tollgate(signIn(home), password);
    const [atHome] = sessions().sessions;
    expect(await tollgate(signIn(other), password)).toMatchObject({ code: 0 });
    expect(sessions().sessions).toEqual([{ url: other, access_token: 'planted' }, atHome]);
    await tollgate(['whoami']);
    expect(heard.at(-1)).toBe('Bearer planted for /v1/auth/me');
    expect(await tollgate(['whoami', '--url', `${home}/`])).toMatchObject({ code: 0 });
    expect(await tollgate(['logout', '--url', other])).toMatchObject({ code: 0 });
    expect(await tollgate(['whoami'])).toMatchObject({ code: 0 });
    expect(sessions().sessions).toEqual([atHome]);
  });

  it('is not what ends, or a key that is shown, when TOLLGATE_API_KEY is another credential', async (opened) => {
    const { home, other, heard, tollgate, token } = opened;
    await tollgate(signIn(home), password);
    const { key = '' } = await new Tollgate({ url: home, apiKey: token }).apiKeys.create({ name: 'program' });
    const env = { TOLLGATE_API_KEY: key };
    await tollgate(signIn(other), { ...password, env });
    expect(heard.at(-1)).toBe('nothing for /v1/auth/login');
    expect(await tollgate(['logout', '--url', home], { env })).toMatchObject({ code: 0 });
    expect(await tollgate(['whoami', '--url', home])).toMatchObject({ code: 3 });
    expect(await tollgate(['whoami', '--url', home], { env })).toMatchObject({ code: 0 });
  });
});
