import type { Page } from 'playwright-core';
import { redirectUri, registerCodeClient } from '../clients/code-client.ts';
import { password } from './console-world.ts';

interface Connecting {
  readonly issuer: string;
  readonly resource: string;
  readonly email: string;
}

export interface ConnectedClient {
  readonly accessToken: string;
  /** The status of a refresh. */
  refresh(): Promise<number>;
}

/** A client that registers, leads a person to the consent in a browser, and gets tokens. */
export async function connectClient(page: Page, { issuer, resource, email }: Connecting): Promise<ConnectedClient> {
  const client = await registerCodeClient(issuer, 'Weather agent', resource);
  const returned = page.waitForRequest((request) => request.url().startsWith(redirectUri));
  await page.goto(client.authorizeUrl);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Allow' }).click();
  const code = new URL((await returned).url()).searchParams.get('code') ?? '';
  const { body: tokens } = await client.redeem(code);
  return {
    accessToken: tokens.access_token,
    refresh: async () => (await client.refresh(tokens.refresh_token)).status,
  };
}
