import { createHash } from 'node:crypto';
import type { Response } from 'express';
import type { HostedPage } from './hosted-pages.ts';
import { pageStyle } from './page-style.ts';

export interface Page {
  readonly status: 200 | 404;
  readonly html: string;
  /** Whose buttons are on it. */
  readonly page?: HostedPage;
}

const styleHash = createHash('sha256').update(pageStyle).digest('base64');

/** No scripts, nothing from elsewhere, no frames around it; its forms lead here and on to the return address alone. */
export function sendPage(response: Response, { status, html, page }: Page): void {
  const formAction = page ? `'self' ${formTargetOf(page.returnUrl)}` : "'none'";
  const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; form-action ${formAction}; base-uri 'none'; frame-ancestors 'none'`;
  const headers = { 'content-type': 'text/html; charset=utf-8', 'content-length': Buffer.byteLength(html) };
  response.setHeader('content-security-policy', policy);
  response.writeHead(status, headers).end(html);
}

/** Browsers hold the answer to a form's POST to the policy too. It has no way to write an IPv6 address: then the scheme. */
function formTargetOf(returnUrl: string): string {
  const { origin, hostname, protocol } = new URL(returnUrl);
  return hostname.startsWith('[') ? protocol : origin;
}
