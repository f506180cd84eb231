/**
 * Keeps secrets and personal data out of the log, in two ways. A key whose name is that of a secret loses its value. And
 * every finished line loses text that looks like a credential, be it in a message, a stack or a URL.
 */

const redacted = '[redacted]';
const depthMax = 8;
const itemsMax = 100;

const secretKey =
  /(^|[_-])(authorization|cookie|password|passphrase|token|secret|key|jwt|credentials?|totp_code|recovery_code|e-?mail)s?$/;

const knownKeys = new Map<string, boolean>();
const knownKeysMax = 2_000;

/** A copy that is safe to write: without secrets by key, with plain errors, bounded in depth and length. */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return value;
  return depth >= depthMax ? '[too deep]' : redactObject(value, depth);
}

function redactObject(value: object, depth: number): unknown {
  if (value instanceof Error) return redactError(value, depth);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'invalid date' : value.toISOString();
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return value.slice(0, itemsMax).map((item: unknown) => redact(item, depth + 1));
  return redactMembers(Object.entries(value), depth);
}

/** Removes text that looks like a credential: URL passwords, bearer tokens, JWTs, API keys. */
export function scrubLine(line: string): string {
  return line
    .replace(/(:\/\/[^/?#\s:@"]*):[^/?#\s@"]*@/g, `$1:${redacted}@`)
    .replace(/\b(bearer)(\s+|%20)[\w.~+/=-]+/gi, `$1$2${redacted}`)
    .replace(/\beyJ[\w-]*\.[\w-]*\.[\w-]*/g, redacted)
    .replace(/\btg_(?:live|pass|session)_\w{8,}/g, redacted);
}

function redactMembers(members: readonly (readonly [string, unknown])[], depth: number): Record<string, unknown> {
  const safe: Record<string, unknown> = {};
  for (const [key, member] of members.slice(0, itemsMax)) {
    Object.defineProperty(safe, key, {
      // a key named __proto__ stays a plain key
      value: isSecretKey(key) ? redacted : redact(member, depth + 1),
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  return safe;
}

function redactError(error: Error, depth: number): Record<string, unknown> {
  const { name, message, stack, cause, ...rest } = error;
  const own = redactMembers(Object.entries(rest), depth);
  return { ...own, type: name, message, stack, ...(cause === undefined ? {} : { cause: redact(cause, depth + 1) }) };
}

function isSecretKey(key: string): boolean {
  const known = knownKeys.get(key);
  if (known !== undefined) return known;
  const isSecret = secretKey.test(key.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase());
  if (knownKeys.size < knownKeysMax) knownKeys.set(key, isSecret);
  return isSecret;
}
