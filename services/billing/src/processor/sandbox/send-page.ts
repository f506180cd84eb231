import { createHash } from 'node:crypto';
import type { Response } from 'express';
import type { HostedPage } from './hosted-pages.ts';
import { pageStyle } from './page-style.ts';

export interface Page {
  readonly status: 200 | 404;
  readonly html: string;
  /** The page whose buttons are shown; undefined if there are none. */
  readonly page?: HostedPage;
}

const styleHash = createHash('sha256').update(pageStyle).digest('base64');

/**
 * Sends a page whose policy allows no scripts, no foreign content and no frame around it. Its forms may lead only here
 * and on to the return address.
 */
export function sendPage(response: Response, { status, html, page }: Page): void {
  const formAction = page ? `'self' ${formTargetOf(page.returnUrl)}` : "'none'";
  const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; form-action ${formAction}; base-uri 'none'; frame-ancestors 'none'`;
  const headers = { 'content-type': 'text/html; charset=utf-8', 'content-length': Buffer.byteLength(html) };
  response.setHeader('content-security-policy', policy);
  response.writeHead(status, headers).end(html);
}

/**
 * The form-action source for the return address. Browsers apply the policy also to the redirect after a form's POST. A
 * policy cannot name an IPv6 address, so then it allows the scheme.
 */
function formTargetOf(returnUrl: string): string {
  const { origin, hostname, protocol } = new URL(returnUrl);
  return hostname.startsWith('[') ? protocol : origin;
}
