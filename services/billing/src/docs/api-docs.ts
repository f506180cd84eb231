import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createOpenApiDocument, type OpenApiOptions } from '@tollgate/contracts/openapi/openapi';
import type { documentationAssets } from '@tollgate/contracts/operation/health';
import { pathOfTarget } from '@tollgate/runtime/http/requests/request-path';

type AssetName = (typeof documentationAssets)[number];

/** Answers a request for the API's description, and returns whether it did. */
export type AnswerApiDocs = (request: IncomingMessage, response: ServerResponse) => boolean;

interface Resource {
  readonly type: string;
  readonly content: Buffer;
  readonly etag: string;
}

const require = createRequire(import.meta.url);

/**
 * The page loads Swagger UI from this server and sends requests only to it. `data:` allows the icons in its style
 * sheet.
 */
const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * Serves `/openapi.json`, and `/docs` to browse it. All files come from here, so it works offline. `/` leads browsers to the
 * console, and programs to `/docs`.
 */
export function createApiDocs(options: OpenApiOptions): AnswerApiDocs {
  const resources = resourcesOf(options);
  return function answerApiDocs(request, response) {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false;
    const path = pathOfTarget(request.url ?? '').text;
    if (path === '/') {
      response.writeHead(302, { location: wantsPage(request) ? '/app' : '/docs', vary: 'accept' }).end();
      return true;
    }
    const resource = resources.get(path)?.();
    if (!resource) return false;
    sendResource(request, response, resource);
    return true;
  };
}

/** Whether a browser asks, for a person. */
function wantsPage({ headers }: IncomingMessage): boolean {
  return headers.accept?.includes('text/html') === true;
}

/** Each is made at its first request: the description takes 80 ms, which a start need not wait for. */
function resourcesOf(options: OpenApiOptions): ReadonlyMap<string, () => Resource> {
  const description = () => JSON.stringify(createOpenApiDocument(options));
  const makers: Record<'/openapi.json' | '/docs' | `/docs/${AssetName}`, () => Resource> = {
    '/openapi.json': () => toResource('application/json; charset=utf-8', description()),
    '/docs': () => toResource('text/html; charset=utf-8', docsPage),
    '/docs/swagger-ui.css': () => toResource('text/css; charset=utf-8', readSwaggerUi('swagger-ui.css')),
    '/docs/swagger-ui-bundle.js': () =>
      toResource('text/javascript; charset=utf-8', readSwaggerUi('swagger-ui-bundle.js')),
    '/docs/start.js': () => toResource('text/javascript; charset=utf-8', docsScript),
    '/docs/favicon.png': () => toResource('image/png', readSwaggerUi('favicon-32x32.png')),
  };
  return new Map(Object.entries(makers).map(([path, make]) => [path, onFirstUse(make)]));
}

function onFirstUse<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => (made ??= make());
}

function readSwaggerUi(file: string): Buffer {
  const folder = dirname(require.resolve('swagger-ui-dist/package.json'));
  return readFileSync(join(folder, file));
}

function toResource(type: string, content: string | Buffer): Resource {
  const bytes = Buffer.from(content);
  return { type, content: bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` };
}

function sendResource(request: IncomingMessage, response: ServerResponse, { type, content, etag }: Resource): void {
  response.setHeader('content-security-policy', pagePolicy);
  response.setHeader('cache-control', 'no-cache'); // browsers ask each time, and get 304 until a new version
  response.setHeader('etag', etag);
  if (request.headers['if-none-match'] === etag) {
    response.writeHead(304).end();
    return;
  }
  response.writeHead(200, { 'content-type': type, 'content-length': content.byteLength });
  response.end(content);
}

/** The page at `/docs`. It has no inline script or style, so its content security policy needs no exception. */
const docsPage = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Tollgate API</title>
    <link rel="icon" type="image/png" href="/docs/favicon.png">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
  </head>
  <body>
    <div id="api"></div>
    <noscript>This page needs JavaScript. The description itself is at <a href="/openapi.json">/openapi.json</a>.</noscript>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

/**
 * Starts Swagger UI without the validator badge, which would call a foreign server. It is dark where the console was set to
 * be, or else where the system is.
 */
const docsScript = `const night = matchMedia('(prefers-color-scheme: dark)');
function darken() {
  const chosen = localStorage.getItem('mantine-color-scheme-value');
  const isDark = chosen === 'dark' || (chosen !== 'light' && night.matches);
  document.documentElement.classList.toggle('dark-mode', isDark);
}
darken();
night.addEventListener('change', darken);
SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#api',
  deepLinking: true,
  persistAuthorization: false,
  validatorUrl: null,
});
`;

/**
 * Reads the version from this package's package.json; all packages share one version. The path is the same from `src`
 * and from `dist`.
 */
export function readVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version; // our own file
}
