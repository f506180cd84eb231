import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '@tollgate/kernel/app-error';
import { pathOfTarget } from '@tollgate/runtime/http/requests/request-path';
import { type ConsoleFile, type ConsoleFiles, readConsole } from './console-files.ts';

/** Answers a request for the console, and returns whether it did. */
export type AnswerConsole = (request: IncomingMessage, response: ServerResponse) => boolean;

/** `packages/console/vite.config.ts` writes it into the page. */
const noncePlaceholder = '__CSP_NONCE__';
const assetsPath = '/app/assets/';

/** Serves the console from a folder at `/app`. Each path below it is the page, so an address in it can be kept. */
export function createConsole(folder: string): AnswerConsole {
  let files: ConsoleFiles | undefined;
  return function answerConsole(request, response) {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false;
    const path = pathOfTarget(request.url ?? '').text;
    if (path !== '/app' && !path.startsWith('/app/')) return false;
    files ??= readConsole(folder); // at the first request, which a start need not wait for
    if (files === undefined) throw new AppError('unavailable', 'The console is not built here: run tools/build.ts.');
    if (!path.startsWith(assetsPath)) sendConsolePage(response, files.page);
    else sendAsset(request, response, files.assets.get(path.slice(assetsPath.length)));
    return true;
  };
}

function sendConsolePage(response: ServerResponse, page: string): void {
  const nonce = randomBytes(16).toString('base64');
  const content = Buffer.from(page.replaceAll(noncePlaceholder, nonce));
  response.setHeader('content-security-policy', policyWith(nonce));
  response.setHeader('cache-control', 'no-store'); // a nonce is for one answer
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-length': content.byteLength });
  response.end(content);
}

/** The page loads and asks this server alone, and no other page frames it. Mantine's style tags have the nonce. */
function policyWith(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function sendAsset(request: IncomingMessage, response: ServerResponse, file: ConsoleFile | undefined): void {
  if (file === undefined) throw new AppError('not_found', 'The console has no such file.');
  const isZipped = /\bgzip\b/.test(request.headers['accept-encoding']?.toString() ?? '');
  const content = isZipped ? file.gzip : file.content;
  response.setHeader('cache-control', 'public, max-age=31536000, immutable'); // its name changes with its content
  response.setHeader('vary', 'accept-encoding');
  if (isZipped) response.setHeader('content-encoding', 'gzip');
  response.writeHead(200, { 'content-type': file.type, 'content-length': content.byteLength });
  response.end(content);
}
