import { execFileSync } from 'node:child_process';
import { createDatabase } from '@tollgate/database/database';
import { findRunningPostgres } from '@tollgate/database/embedded/find-running-postgres';
import { systemClock } from '@tollgate/kernel/clock';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { standaloneCli } from '@tollgate/testkit/standalone-process';
import { TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { type ConsoleWorld, password } from './console-world.ts';

export interface Operator {
  readonly email: string;
  /** A code of the second factor that was not used before. */
  nextCode(): string;
}

/** An account with a second factor that the command has marked as one of the operator. */
export async function openOperator(world: ConsoleWorld): Promise<Operator> {
  const { email, client } = await world.signUp();
  const { secret } = await client.secondFactor.begin({ password });
  const codes = codesOf(secret);
  await client.secondFactor.confirm({ code: codes() });
  grantOperator(world, email);
  return { email, nextCode: codes };
}

/** A code is good for its 30 seconds, for those before and those after; each works once. */
export function codesOf(secret: string): () => string {
  const totp = new TOTP({ secret });
  let last = 0;
  return function nextCode() {
    const now = systemClock.now();
    last = Math.max(last + 30_000, now - 30_000);
    if (last > now + 30_000) throw new Error('these many codes need more time');
    return totp.generate({ timestamp: last });
  };
}

export function grantOperator({ dataDir }: Pick<ConsoleWorld, 'dataDir'>, email: string): void {
  const line = ['account', 'grant-operator', email, '--data', dataDir];
  execFileSync(process.execPath, [standaloneCli, ...line], { stdio: 'pipe' });
}

export async function signInOperator(page: Page, { baseUrl }: ConsoleWorld, operator: Operator): Promise<void> {
  await page.goto(`${baseUrl}/app/operator`);
  await page.getByLabel('E-mail').fill(operator.email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('Code of your second factor').fill(operator.nextCode());
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Today' }).waitFor();
}

/** Changes what no route can: what happens in a quarter of an hour, or to a log that is damaged. */
export async function changeDatabase({ dataDir }: ConsoleWorld, statement: string): Promise<void> {
  const running = findRunningPostgres(dataDir);
  const log = createLogger({ name: 'test', level: 'silent' });
  if (running === undefined) throw new Error(`no PostgreSQL runs on ${dataDir}`);
  const owner = createDatabase({ url: running.ownerUrl, name: 'test-owner', log });
  await owner.query(statement);
  await owner.stop();
}
