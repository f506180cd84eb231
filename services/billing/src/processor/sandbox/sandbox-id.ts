import { randomBytes } from 'node:crypto';

/** Creates an id such as `acct_sandbox_…`, which cannot be mistaken for a real processor's. */
export function createSandboxId(prefix: string): string {
  return `${prefix}_sandbox_${randomBytes(12).toString('base64url').replaceAll(/[-_]/g, '0')}`;
}
