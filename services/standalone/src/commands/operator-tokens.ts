import { openOperatorTokens, type OperatorTokens } from '@tollgate/auth/operator';
import { operatorTokenNameSchema } from '@tollgate/contracts/operator/operator-tokens';
import { systemClock, toIso } from '@tollgate/kernel/clock';
import { dayMs } from '@tollgate/kernel/durations';

import { authConfigOf, unusedSecret } from './auth-config-of.ts';
import { CommandError } from './command-error.ts';
import { withDatabase, type DatabaseChoice } from './open-database.ts';

const daysMax = 3_650;

interface Wish {
  readonly name: string;
  readonly expiresIn?: string;
}

/** `tollgate operator operator-token create --name <name> [--expires-in <days>]`. */
export async function createToken({ name, expiresIn }: Wish, choice: DatabaseChoice): Promise<string> {
  const expiresAt = expiresIn === undefined ? undefined : systemClock.now() + daysOf(expiresIn) * dayMs;
  const token = await onTokens(choice, (tokens) => tokens.create({ name: nameOf(name), expiresAt }));
  const end = expiresAt === undefined ? 'It never expires.' : `It expires at ${toIso(expiresAt)}.`;
  return `The operator token ${name} is ${token}\nIt is shown only here. ${end}`;
}

/** `tollgate operator operator-token list`. */
export async function listTokens(choice: DatabaseChoice): Promise<string> {
  const tokens = await onTokens(choice, (each) => each.list());
  const lines = tokens.map(({ name, createdAt, expiresAt, revokedAt }) => {
    const created = createdAt === undefined ? 'OPERATOR_TOKEN of the settings' : `created ${toIso(createdAt)}`;
    return [name, created, endOf(expiresAt, revokedAt)].filter((part) => part !== '').join('  ');
  });
  if (tokens.some(({ name }) => name === 'default')) return lines.join('\n');
  return [...lines, 'default  OPERATOR_TOKEN of the settings, where services have it'].join('\n');
}

/** `tollgate operator operator-token revoke <name>`. */
export async function revokeToken(name: string, choice: DatabaseChoice): Promise<string> {
  const isRevoked = await onTokens(choice, (tokens) => tokens.revoke(nameOf(name)));
  if (!isRevoked)
    throw new CommandError(`no live operator token has the name ${name}; see tollgate operator operator-token list`);
  return `The operator token ${name} is refused within a second.`;
}

/** `tollgate operator operator-token rotate [name]`: for a leaked token. */
export async function rotateToken(name: string, choice: DatabaseChoice): Promise<string> {
  const token = await onTokens(choice, (tokens) => tokens.rotate(nameOf(name)));
  const earlier = name === 'default' ? 'The earlier token, also OPERATOR_TOKEN,' : 'The earlier token';
  return `The operator token ${name} is ${token}\nIt is shown only here. ${earlier} is refused within a second.`;
}

function onTokens<T>(choice: DatabaseChoice, work: (tokens: OperatorTokens) => Promise<T>): Promise<T> {
  return withDatabase(choice, (database) => {
    const config = authConfigOf(database, choice, unusedSecret);
    return openOperatorTokens(config, { log: choice.log }, work);
  });
}

function nameOf(name: string): string {
  if (operatorTokenNameSchema.safeParse(name).success) return name;
  throw new CommandError(`a name is 1 to 63 lower-case letters, digits and inner hyphens, not ${name}`);
}

function daysOf(text: string): number {
  const days = /^[1-9]\d{0,3}$/.test(text) ? Number(text) : 0;
  if (days >= 1 && days <= daysMax) return days;
  throw new CommandError(`--expires-in is a whole number of days from 1 to ${daysMax}, not ${text}`);
}

function endOf(expiresAt: number | undefined, revokedAt: number | undefined): string {
  if (revokedAt !== undefined) return `revoked ${toIso(revokedAt)}`;
  if (expiresAt === undefined) return '';
  return `${expiresAt <= systemClock.now() ? 'expired' : 'expires'} ${toIso(expiresAt)}`;
}
