import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename } from 'node:path';
import type { Undo } from '../it-with.ts';

/** Serves packed packages as a registry does, so that `npm install` of their names works as printed. Returns its URL. */
export async function servePackages(tarballs: readonly string[], undo: Undo): Promise<string> {
  const server = createServer(({ url = '' }, response) => {
    const tarball = tarballs.find((path) => url === `/${basename(path)}`);
    const document = documents.get(decodeURIComponent(url.slice(1)));
    response.setHeader('cache-control', 'no-store'); // another run may have the port, and other packages
    if (tarball !== undefined) return response.end(readFileSync(tarball));
    response.statusCode = document === undefined ? 404 : 200;
    return response.end(JSON.stringify(document ?? { error: 'not found' }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  undo(() => {
    server.close();
    server.closeAllConnections(); // npm leaves some open
  });
  const { port } = server.address() as AddressInfo; // the server listens
  const url = `http://127.0.0.1:${port}`;
  const documents = new Map(tarballs.map((path) => toDocument(path, `${url}/${basename(path)}`)));
  return url;
}

function toDocument(path: string, tarball: string): [string, object] {
  const text = execFileSync('tar', ['-xzOf', path, 'package/package.json'], { encoding: 'utf8' });
  const manifest = JSON.parse(text) as { name: string; version: string }; // packed by us
  const { name, version } = manifest;
  const integrity = `sha512-${createHash('sha512').update(readFileSync(path)).digest('base64')}`;
  const versions = { [version]: { ...manifest, dist: { tarball, integrity } } };
  return [name, { name, 'dist-tags': { latest: version }, versions }];
}
