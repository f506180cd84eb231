import { createHash, randomBytes } from 'node:crypto';
import type { PageKind } from './hosted-pages.ts';

/** Where the pages are; `sandbox-routes.ts` of the contracts mounts them. */
const pagePaths: Record<PageKind, string> = {
  onboarding: '/v1/sandbox/onboarding',
  card_setup: '/v1/sandbox/card-setup',
};

export interface SandboxLink {
  /** A path; the token stands in the query, which no log repeats. */
  readonly url: string;
  readonly tokenHash: Buffer;
}

export function createSandboxLink(kind: PageKind): SandboxLink {
  const token = randomBytes(32).toString('base64url');
  return { url: `${pagePaths[kind]}?token=${token}`, tokenHash: hashLinkToken(token) };
}

/** What is kept of a token: whoever reads the table cannot open a page with it. */
export function hashLinkToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
