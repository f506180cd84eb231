import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { pageStyle } from './page-style.ts';

export interface Page {
  readonly status: 200 | 400 | 403 | 404;
  /** As `renderPage` makes it. */
  readonly html: string;
  /** Where the forms of the page lead: here, or here and on to the address to which the answer sends the browser. */
  readonly formTarget?: 'self' | { readonly returnUrl: string };
}

const styleHash = createHash('sha256').update(pageStyle).digest('base64');

/** Sends a page whose policy allows no scripts, no foreign content and no frame around it. */
export function sendPage(response: ServerResponse, { status, html, formTarget }: Page): void {
  const headers = { 'content-type': 'text/html; charset=utf-8', 'content-length': Buffer.byteLength(html) };
  response.setHeader('content-security-policy', policyOf(formTarget));
  response.writeHead(status, headers).end(html);
}

/** The policy of a page of `renderPage`. */
export function policyOf(formTarget: Page['formTarget']): string {
  return `default-src 'none'; style-src 'sha256-${styleHash}'; form-action ${formActionOf(formTarget)}; base-uri 'none'; frame-ancestors 'none'`;
}

/**
 * Browsers apply the policy also to the redirect after a form's POST. A policy cannot name an IPv6 address, and an address
 * with a scheme of its own has no origin, so then it allows the scheme.
 */
function formActionOf(formTarget: Page['formTarget']): string {
  if (formTarget === undefined) return "'none'";
  if (formTarget === 'self') return "'self'";
  const { origin, hostname, protocol } = new URL(formTarget.returnUrl);
  return `'self' ${hostname.startsWith('[') || origin === 'null' ? protocol : origin}`;
}
