import { createHash, randomBytes } from 'node:crypto';
import type { PageKind } from './hosted-pages.ts';

/** The paths of the pages; `sandbox-routes.ts` of the contracts mounts them. */
const pagePaths: Record<PageKind, string> = {
  onboarding: '/v1/sandbox/onboarding',
  card_setup: '/v1/sandbox/card-setup',
};

export interface SandboxLink {
  /** A path. The token stands in its query, which no log repeats. */
  readonly url: string;
  readonly tokenHash: Buffer;
}

export function createSandboxLink(kind: PageKind): SandboxLink {
  const token = randomBytes(32).toString('base64url');
  return { url: `${pagePaths[kind]}?token=${token}`, tokenHash: hashLinkToken(token) };
}

/** The hash of a token. Only the hash is stored, so the table opens no page. */
export function hashLinkToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
