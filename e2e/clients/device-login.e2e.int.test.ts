import { execFile } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect } from '@jest/globals';
import { Tollgate } from '@tollgate/sdk';
import { startChildService } from '@tollgate/testkit/child-service';
import { buildPackage } from '../../tools/release/pack-package.ts';
import { itWith, openFolder } from '../it-with.ts';
import { openProduct } from '../open-product.ts';

const tollgate = fileURLToPath(new URL('../../packages/cli/dist/main.js', import.meta.url));
const credentials = { email: 'ada@example.com', password: 'correct horse battery' };

describe('tollgate login', () => {
  const it = itWith(async (undo) => {
    buildPackage('packages/cli');
    const product = await openProduct({ name: 'device-login' }, undo);
    await new Tollgate({ url: product.baseUrl() }).auth.register(credentials);
    const folder = openFolder('device-login-settings', undo);
    const env = { XDG_CONFIG_HOME: folder, TOLLGATE_URL: product.baseUrl() };
    return {
      session: join(folder, 'tollgate/session.json'),
      run: (...args: readonly string[]) =>
        promisify(execFile)(process.execPath, [tollgate, ...args], { env: { ...process.env, ...env } }),
      /** Starts `tollgate login`, and reads from its output where to go with which code. */
      async login() {
        const program = startChildService({ command: process.execPath, args: [tollgate, 'login'], env });
        undo(() => program.destroy());
        const [, address = '', code = ''] = await program.line(/Open (\S+) and type the code (\S+)\./, {
          withinMs: 20_000,
        });
        return { program, address, code };
      },
      /** Fills in the form at an address, as a browser does. */
      async press(address: string, fields: Readonly<Record<string, string>>) {
        const page = await fetch(address);
        if (page.status !== 200) throw new Error(`${address} answered ${page.status}`);
        const answer = await fetch(address, { method: 'POST', body: new URLSearchParams(fields) });
        return { status: answer.status, text: await answer.text() };
      },
    };
  });

  it('says where to go, waits for the person there, and keeps a session that nobody else can read', async (opened) => {
    const { login, press, run, session } = opened;
    const { program, address, code } = await login();
    const shown = await press(address, { user_code: code, answer: 'look' });
    expect(shown.text).toMatch(/<dd>tollgate on .*<dd>127\.0\.0\.1<\/dd>/s);
    const wrong = await press(address, { user_code: code, answer: 'approve', ...credentials, password: 'a guess' });
    expect(wrong).toMatchObject({ status: 403, text: expect.stringContaining('password is wrong') });
    expect(await press(address, { user_code: code, answer: 'approve', ...credentials })).toMatchObject({ status: 200 });
    expect((await program.exited).code).toBe(0);
    expect(program.output()).toContain(`as ${credentials.email}.`);
    expect(statSync(session).mode & 0o777).toBe(0o600);
    expect((await run('whoami')).stdout).toContain(credentials.email);
    const stored = JSON.parse(readFileSync(session, 'utf8')) as { sessions: { access_token: string }[] };
    expect(stored.sessions).toHaveLength(1);
    expect(program.output()).not.toContain(stored.sessions[0]?.access_token);
    await run('logout');
  });

  it('ends with 3 when the person refuses, and keeps nothing', async ({ login, press, run, session }) => {
    const { program, address, code } = await login();
    expect(await press(address, { user_code: code, answer: 'refuse' })).toMatchObject({ status: 200 });
    expect((await program.exited).code).toBe(3);
    expect(program.output()).toContain('access_denied');
    expect(() => statSync(session)).toThrow('ENOENT');
    await expect(run('whoami')).rejects.toMatchObject({ code: 3 });
  });
});
