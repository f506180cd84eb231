import { createHash } from 'node:crypto';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { unpinnedImages, withPins } from './image-pins.ts';

const repository = fileURLToPath(new URL('..', import.meta.url));
const names = ['deploy/docker/Dockerfile', 'docker-compose.yml', 'docker-compose.tls.yml'];
const digestFor = (image: string) => `sha256:${createHash('sha256').update(image).digest('hex')}`;

/**
 * A docker client that asks a registry on 127.0.0.1, which answers as the distribution API has it. The real one answers the
 * same question by the same command; no registry of others can be reached in tests.
 */
const client = `#!${process.execPath}
const [, , ...words] = process.argv;
const image = words.find((word) => word.includes(':') && !word.startsWith('{{'));
const [name, tag] = image.split(/:(?=[^/]*$)/);
const known = words[0] === 'buildx' ? 'library' : 'pulled';
fetch(\`http://127.0.0.1:\${process.env.REGISTRY_PORT}/v2/\${known}/\${name}/manifests/\${tag}\`, { method: 'HEAD' }).then((answer) => {
  if (answer.status !== 200) process.exit(1);
  const digest = answer.headers.get('docker-content-digest');
  process.stdout.write(known === 'library' ? digest + '\\n' : \`\${name}@\${digest}\\n\`);
});
`;

let folder: string;
let registry: Server;
const isAway = new Set<string>();
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pin-images-'));
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin/docker'), client);
  chmodSync(join(folder, 'bin/docker'), 0o755);
  registry = createServer(({ method, url = '' }, response) => {
    const [, known, name, tag] = /^\/v2\/(library|pulled)\/(.+)\/manifests\/(.+)$/.exec(url) ?? [];
    const image = `${name}:${tag}`;
    const isThere = method === 'HEAD' && tag !== undefined && !isAway.has(`${known} ${image}`);
    response.writeHead(isThere ? 200 : 404, { 'docker-content-digest': digestFor(image) }).end();
  }).listen(0, '127.0.0.1');
  await once(registry, 'listening');
});
afterAll(() => {
  registry.close();
  rmSync(folder, { recursive: true });
});

/** A copy of the repository's files, and what the command says to it. */
function newCopy(): string {
  const copy = mkdtempSync(join(folder, 'copy-'));
  for (const name of names) {
    mkdirSync(dirname(join(copy, name)), { recursive: true });
    writeFileSync(join(copy, name), readFileSync(join(repository, name)));
  }
  return copy;
}

async function pinImages(...words: string[]) {
  const { port } = registry.address() as AddressInfo;
  const env = { PATH: `${join(folder, 'bin')}${delimiter}${process.env['PATH']}`, REGISTRY_PORT: String(port) };
  const child = spawn(process.execPath, [join(repository, 'tools/pin-images.ts'), ...words], { env });
  const exited = once(child, 'exit') as Promise<[number]>;
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
  return { code, out, err };
}

const read = (copy: string) => names.map((name) => readFileSync(join(copy, name), 'utf8'));

describe('pnpm pin-images', () => {
  it('names every image of others by its digest, and the check fails until then', async () => {
    const copy = newCopy();
    const before = read(copy);
    expect(await pinImages('--check', copy)).toMatchObject({
      code: 1,
      out: expect.stringContaining('docker-compose.yml: nginx:'),
    });
    expect(await pinImages(copy)).toMatchObject({ code: 0, err: '' });
    expect(await pinImages('--check', copy)).toMatchObject({ code: 0, out: 'every image has a digest\n' });
    const after = read(copy);
    expect(after[0]).toContain(`FROM node:24-bookworm-slim@${digestFor('node:24-bookworm-slim')} AS build`);
    expect(after[1]).toContain(`image: postgres:18-bookworm@${digestFor('postgres:18-bookworm')}\n`);
    expect(after.map((file) => file.replaceAll(/@sha256:[0-9a-f]{64}/g, ''))).toEqual(before); // and nothing else
  });

  it('takes what was pulled when the registry does not answer, and changes nothing when nobody knows', async () => {
    const copy = newCopy();
    isAway.add('library redis:8-bookworm');
    expect(await pinImages(copy)).toMatchObject({ code: 0 });
    expect(read(copy)[1]).toContain(`image: redis:8-bookworm@${digestFor('redis:8-bookworm')}\n`);
    isAway.add('pulled redis:8-bookworm');
    const other = newCopy();
    expect(await pinImages(other)).toMatchObject({
      code: 1,
      err: expect.stringContaining('no digest of redis:8-bookworm; pull it first'),
    });
    expect(read(other)).toEqual(read(newCopy()));
  });
});

describe('the images of a file', () => {
  it('are those of others: not our own, and not an earlier stage', () => {
    const dockerfile = 'FROM a:1 AS build\nFROM build\nFROM b/c:2\n';
    const compose = '    image: tollgate/auth\n    image: d:3\n  image: registry.example:5000/e:4\n';
    expect([unpinnedImages(dockerfile), unpinnedImages(compose)]).toEqual([
      ['a:1', 'b/c:2'],
      ['d:3', 'registry.example:5000/e:4'],
    ]);
  });

  it('get the newest digest in place of an earlier one', async () => {
    const pinned = await withPins('image: d:3\n', async () => digestFor('old'));
    expect(await withPins(pinned, async () => digestFor('new'))).toBe(`image: d:3@${digestFor('new')}\n`);
    await expect(withPins('image: d:3\n', async () => 'unknown')).rejects.toThrow('has another form');
  });
});
