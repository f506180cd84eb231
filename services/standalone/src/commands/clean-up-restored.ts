import { readFileSync } from 'node:fs';

import { runAfterRestore } from '@tollgate/auth/operator';
import { systemClock, toIso } from '@tollgate/kernel/clock';

import { withDatabase, type DatabaseChoice } from './open-database.ts';

export interface AfterRestoreOptions {
  readonly auditLog?: string;
  readonly revokeApiKeys?: true;
}

type Result = Awaited<ReturnType<typeof runAfterRestore>>;
type Key = Result['liveKeys'][number];

const advice: Readonly<Record<string, string>> = {
  'account.suspended': 'POST /v1/operator/accounts/{id}/suspend',
  'password.changed': 'tollgate operator account set-password <email>',
  'signing_key.rotated': 'tollgate operator signing-key rotate --revoke-now',
  'operator_token.rotated': 'tollgate operator operator-token rotate <name>',
  'operator_token.revoked': 'tollgate operator operator-token revoke <name>',
  'operator_totp.enabled': 'tollgate operator operator-totp enable',
};

/** `tollgate operator after-restore`: ends all sessions, revokes again what the log says was revoked, and lists the rest. */
export async function cleanUpRestored(
  { auditLog, revokeApiKeys }: AfterRestoreOptions,
  choice: DatabaseChoice,
): Promise<string> {
  const logLines = auditLog === undefined ? undefined : readFileSync(auditLog, 'utf8').split('\n');
  const wish = { logLines, revokesAllKeys: revokeApiKeys === true };
  const result = await withDatabase(choice, ({ ownerUrl }) =>
    runAfterRestore(ownerUrl, { clock: systemClock, log: choice.log }, wish),
  );
  return toText(result, logLines !== undefined);
}

function toText(
  { closedAccounts, endedSessions, revokedKeys, revokedPasses, liveKeys, lostActs }: Result,
  hasLog: boolean,
): string {
  return [
    `${endedSessions} sessions have ended: everybody signs in again.`,
    ...listed(`${closedAccounts.length} accounts are closed again, and will be erased:`, closedAccounts),
    ...listed(`${revokedKeys.length} API keys are revoked:`, revokedKeys.map(toLine)),
    ...listed(
      `${revokedPasses.length} passes are revoked:`,
      revokedPasses.map(({ passId, name }) => `${passId}  "${name}"`),
    ),
    ...listed(
      `${liveKeys.length} API keys work. ${hasLog ? 'The log names no revocation of them.' : 'Those that were revoked after the backup work again: give the log with --audit-log, or --revoke-api-keys.'}`,
      liveKeys.map(toLine),
    ),
    ...listed(
      'Changes made after the backup, to be made again:',
      lostActs.map(({ atMs, action, accountId, objectId }) =>
        [toIso(atMs), action, accountId ?? objectId ?? '', advice[action] ?? ''].join('  ').trimEnd(),
      ),
    ),
  ].join('\n');
}

function listed(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`)];
}

function toLine({ keyId, email, name, lastFour, lastUsedAt }: Key): string {
  const used = lastUsedAt === undefined ? 'never used' : `last used ${toIso(lastUsedAt)}`;
  return `${keyId}  ${email}  "${name}" …${lastFour}  ${used}`;
}
