import { TollgateError } from '@tollgate/sdk';
import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { clientName, waitForToken } from '../device-login.ts';
import { readLine, readSecret } from '../read-secret.ts';

interface SignIn {
  readonly email?: string;
  readonly register?: boolean;
  readonly code?: string;
  readonly apiKey?: boolean;
}

/** Signing in and out, and API keys. */
export function addAccountCommands(program: Command, context: Context): void {
  const { session, write } = context;
  program
    .command('login')
    .description('sign in on a page of the service, and keep the session in your settings folder')
    .option('--email <address>', 'sign in here instead, by e-mail address and password')
    .option('--code <code>', 'with --email: the code of your authenticator app')
    .option('--register', 'create the account here')
    .option('--api-key', 'keep an API key instead, which does not expire')
    .action(async ({ email, register, code, apiKey }: SignIn) => {
      if (apiKey === true) return keepApiKey(context);
      if (email === undefined && register !== true) return signInOnPage(context);
      const credentials = { email: email ?? (await readLine('E-mail: ')), password: await readSecret('Password: ') };
      const { auth } = session.stranger();
      const { access_token: token } = register
        ? await auth.register(credentials)
        : await auth.login({ ...credentials, ...(code !== undefined && { totp_code: code }) });
      session.keep(token);
      write.say(`You are signed in at ${session.stranger().url} as ${credentials.email}.`);
    });
  program
    .command('logout')
    .description('end the session')
    .action(async () => {
      await session.storedClient().auth.logout().catch(ignoreRefusal); // an API key has no session, and one may have expired
      session.forget();
      write.say('You are signed out.');
    });
  program
    .command('whoami')
    .description('show the account')
    .action(async () => write.record(await session.run(({ auth }) => auth.account())));

  program
    .command('close-account')
    .description('close the account for good; it asks for the password')
    .option('--code <code>', 'the code of your authenticator app')
    .action(async ({ code }: { readonly code?: string }) => {
      const proof = { password: await readSecret('Password: '), ...(code !== undefined && { totp_code: code }) };
      const closed = await session.storedClient().auth.close(proof);
      session.forget();
      write.record({ ...closed, waits_for: closed.waits_for.join(' ') || 'nothing' });
    });

  const keys = program.command('keys').description('API keys');
  keys
    .command('list', { isDefault: true })
    .description('list the live API keys')
    .action(async () => {
      const rows = await session.run(({ apiKeys }) => apiKeys.list({ limit: 100 }).toArray());
      write.table(rows, ['id', 'name', 'prefix', 'last_four', 'created_at', 'last_used_at']);
    });
  keys
    .command('create <name>')
    .description('create an API key; it is shown once')
    .option('--key-only', 'print nothing but the key')
    .action(async (name: string, { keyOnly = false }: { keyOnly?: boolean }) => {
      const created = await session.run(({ apiKeys }) => apiKeys.create({ name }));
      (keyOnly ? write.key : write.record)(created);
    });
  keys
    .command('delete <id>')
    .description('revoke an API key')
    .action(async (id: string) => {
      await session.run(({ apiKeys }) => apiKeys.delete(id));
      write.say('The key is revoked.');
    });
}

/** Says where to go, and waits for somebody who approves there. No password comes near this program. */
async function signInOnPage({ session, write }: Context): Promise<void> {
  const stranger = session.stranger();
  const asked = await stranger.auth.createDeviceLogin({ client: clientName() });
  const { verification_url: address, user_code: code, expires_in: seconds } = asked;
  write.note(`Open ${address} and type the code ${code}. It works for ${Math.round(seconds / 60)} minutes.`);
  const token = await waitForToken(stranger, asked);
  session.keep(token);
  const { email } = await stranger.with({ apiKey: token }).auth.account();
  write.say(`You are signed in at ${stranger.url} as ${email}.`);
}

/** A key that Tollgate does not know is not kept. */
async function keepApiKey({ session, write }: Context): Promise<void> {
  const { url } = session.stranger();
  write.note(`An API key of ${url} is made by \`tollgate keys create\`, or POST ${url}/v1/api-keys.`);
  const apiKey = await readSecret('API key: ');
  const { email } = await session.stranger().with({ apiKey }).auth.account();
  session.keep(apiKey);
  write.say(`You are signed in at ${url} as ${email}.`);
}

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof TollgateError) || (error.status !== 401 && error.status !== 403)) throw error;
}
