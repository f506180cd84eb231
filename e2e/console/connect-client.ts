import { createHash, randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { password } from './console-world.ts';

interface Connecting {
  readonly issuer: string;
  readonly resource: string;
  readonly email: string;
}

const redirectUri = 'http://127.0.0.1:4711/callback';

export interface ConnectedClient {
  readonly accessToken: string;
  /** The status of a refresh. */
  refresh(): Promise<number>;
}

/** A client that registers, leads a person to the consent in a browser, and gets tokens. */
export async function connectClient(page: Page, { issuer, resource, email }: Connecting): Promise<ConnectedClient> {
  const registered = await fetch(`${issuer}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Weather agent', redirect_uris: [redirectUri] }),
  });
  const { client_id: clientId } = (await registered.json()) as { client_id: string };
  const verifier = randomBytes(32).toString('base64url');
  const asked = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    resource,
  };
  const returned = page.waitForRequest((request) => request.url().startsWith(redirectUri));
  await page.goto(`${issuer}/oauth/authorize?${new URLSearchParams(asked).toString()}`);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Allow' }).click();
  const code = new URL((await returned).url()).searchParams.get('code') ?? '';
  const token = (form: Record<string, string>) =>
    fetch(`${issuer}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: clientId, resource, ...form }),
    });
  const redeemed = await token({
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  });
  const tokens = (await redeemed.json()) as { access_token: string; refresh_token: string };
  return {
    accessToken: tokens.access_token,
    refresh: async () => (await token({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token })).status,
  };
}
