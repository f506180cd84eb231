/** An act of the log's audit stream that a restored database does not know. */
export interface LostAct {
  readonly atMs: number;
  readonly action: string;
  readonly accountId: string | undefined;
  readonly objectKind: string | undefined;
  readonly objectId: string | undefined;
}

/** The acts that take rights away: a restore undoes them, which gives the rights back to somebody. */
const takesAway: ReadonlySet<string> = new Set([
  'api_key.revoked',
  'pass.revoked',
  'account.suspended',
  'account.closed',
  'account.erased',
  'password.changed',
  'second_factor.added',
  'recovery_codes.replaced',
  'signing_key.rotated',
  'operator_token.revoked',
  'operator_token.rotated',
  'operator_totp.enabled',
  'operator_account.revoked',
]);

/** Both clocks and the log's buffer may differ by this much: an act too many does no harm. */
const toleranceMs = 5_000;

/** Reads the lines of a log. Lines of other streams, and lines that are no JSON, are passed over. */
export function findLostActs(logLines: readonly string[], afterMs: number): LostAct[] {
  return logLines
    .map(toAct)
    .filter((act) => act !== undefined && takesAway.has(act.action) && act.atMs >= afterMs - toleranceMs) as LostAct[];
}

function toAct(line: string): LostAct | undefined {
  if (!line.includes('"stream":"audit"') || !line.includes('"result":"done"')) return undefined;
  try {
    const fields = JSON.parse(line.slice(line.indexOf('{'))) as Record<string, unknown>; // our own log's lines
    const time = fields['time'];
    const atMs = typeof time === 'number' ? time : Date.parse(String(time));
    const text = (name: string) => (typeof fields[name] === 'string' ? fields[name] : undefined);
    return {
      atMs,
      action: text('action') ?? '',
      accountId: text('account_id'),
      objectKind: text('object_kind'),
      objectId: text('object_id'),
    };
  } catch {
    return undefined;
  }
}

/** The live keys among these that an act has revoked: one key, or all keys of an account that were there then. */
export function keysRevokedBy<Key extends { readonly keyId: string; readonly accountId: string }>(
  keys: readonly Key[],
  acts: readonly LostAct[],
): Key[] {
  const revocations = acts.filter(({ action }) => action === 'api_key.revoked');
  const ids = new Set(revocations.map(({ objectId }) => objectId));
  return keys.filter(({ keyId, accountId }) => ids.has(keyId) || ids.has(accountId));
}
