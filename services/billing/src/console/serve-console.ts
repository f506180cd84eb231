import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '@tollgate/kernel/app-error';
import { isUuid } from '@tollgate/kernel/uuid';
import { pathOfTarget } from '@tollgate/runtime/http/requests/request-path';
import { type ConsoleFile, type ConsoleFiles, readConsole } from './console-files.ts';

/** Answers a request for the console, and returns whether it did. A promise: it does. */
export type AnswerConsole = (request: IncomingMessage, response: ServerResponse) => boolean | Promise<void>;

export interface ConsoleDeps {
  /** `builtConsole`, which Vite fills. */
  readonly folder: string;
  /** The origins whose pages may frame an embed; none for an id that nobody made. */
  readonly framersOf: (embedId: string) => Promise<readonly string[]>;
}

/** `packages/console/vite.config.ts` writes it into the page. */
const noncePlaceholder = '__CSP_NONCE__';
const assetsPath = '/app/assets/';
const embedPath = /^\/app\/embed\/([^/]+)$/;

/** Serves the console at `/app`. Each path below it is the page, so an address in it can be kept. Only embeds are framed. */
export function createConsole({ folder, framersOf }: ConsoleDeps): AnswerConsole {
  let files: ConsoleFiles | undefined;

  async function answerEmbed(response: ServerResponse, embed: string, embedId: string): Promise<void> {
    sendConsolePage(response, embed, isUuid(embedId) ? await framersOf(embedId) : []);
  }

  return function answerConsole(request, response) {
    const path = pathOfTarget(request.url ?? '').text;
    if (!isForConsole(request, path)) return false;
    files ??= readConsole(folder); // at the first request, which a start need not wait for
    if (files === undefined) throw new AppError('unavailable', 'The console is not built here: run tools/build.ts.');
    const [, embedId] = embedPath.exec(path) ?? [];
    if (embedId !== undefined) return answerEmbed(response, files.embed, embedId);
    if (!path.startsWith(assetsPath)) sendConsolePage(response, files.page, []);
    else sendAsset(request, response, files.assets.get(path.slice(assetsPath.length)));
    return true;
  };
}

function isForConsole({ method }: IncomingMessage, path: string): boolean {
  return (method === 'GET' || method === 'HEAD') && (path === '/app' || path.startsWith('/app/'));
}

function sendConsolePage(response: ServerResponse, page: string, framers: readonly string[]): void {
  const nonce = randomBytes(16).toString('base64');
  const content = Buffer.from(page.replaceAll(noncePlaceholder, nonce));
  response.setHeader('content-security-policy', policyWith(nonce, framers));
  response.setHeader('cache-control', 'no-store'); // a nonce is for one answer
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-length': content.byteLength });
  response.end(content);
}

/** The page loads and asks this server alone, and only framers frame it. Mantine's style tags have the nonce. */
function policyWith(nonce: string, framers: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${framers.length === 0 ? "'none'" : framers.join(' ')}`,
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
