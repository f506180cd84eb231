import { randomBytes } from 'node:crypto';

/** As `acct_sandbox_…`: nobody takes it for a real processor's. */
export function createSandboxId(prefix: string): string {
  return `${prefix}_sandbox_${randomBytes(12).toString('base64url').replaceAll(/[-_]/g, '0')}`;
}
