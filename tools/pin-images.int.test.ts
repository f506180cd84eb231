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

import { problemsOfPins, withPins } from './image-pins.ts';

const repository = fileURLToPath(new URL('..', import.meta.url));
const pinnedFile = 'docker-compose.pinned.yml';
const names = ['deploy/docker/Dockerfile', 'docker-compose.yml', pinnedFile];
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

const read = (copy: string) => readFileSync(join(copy, pinnedFile), 'utf8');

describe('F176 pnpm pin-images', () => {
  it('finds each image of the repository pinned, and names one that is not', async () => {
    expect(await pinImages('--check', repository)).toEqual({ code: 0, err: '', out: 'every image has a digest\n' });
    const copy = newCopy();
    writeFileSync(join(copy, pinnedFile), read(copy).replace(/(image: redis:8-bookworm)@.*/, '$1'));
    expect(await pinImages('--check', copy)).toMatchObject({
      code: 1,
      out: expect.stringContaining('redis: redis:8-bookworm has no digest\n'),
    });
  });

  it('writes the present digest behind every image, and nothing else', async () => {
    const copy = newCopy();
    const before = read(copy);
    expect(await pinImages(copy)).toMatchObject({ code: 0, err: '' });
    expect(await pinImages('--check', copy)).toMatchObject({ code: 0 });
    const after = read(copy);
    expect(after).toContain(`NODE_IMAGE: node:24-bookworm-slim@${digestFor('node:24-bookworm-slim')}\n`);
    expect(after).toContain(`image: postgres:18-bookworm@${digestFor('postgres:18-bookworm')}\n`);
    const withoutDigests = (text: string) => text.replaceAll(/@sha256:[0-9a-f]{64}/g, '');
    expect(withoutDigests(after)).toBe(withoutDigests(before));
  });

  it('takes what was pulled when the registry does not answer, and changes nothing when nobody knows', async () => {
    const copy = newCopy();
    isAway.add('library redis:8-bookworm');
    expect(await pinImages(copy)).toMatchObject({ code: 0 });
    expect(read(copy)).toContain(`image: redis:8-bookworm@${digestFor('redis:8-bookworm')}\n`);
    isAway.add('pulled redis:8-bookworm');
    const other = newCopy();
    expect(await pinImages(other)).toMatchObject({
      code: 1,
      err: expect.stringContaining('no digest of redis:8-bookworm; pull it first'),
    });
    expect(read(other)).toBe(read(newCopy()));
  });
});

describe('F176 the pins', () => {
  const digest = digestFor('any');
  const dockerfile = 'ARG NODE_IMAGE=node:24\nFROM ${NODE_IMAGE} AS build\nFROM build\nFROM ${NODE_IMAGE}\n';
  const compose =
    'x-a: &a\n  image: x:1\nservices:\n  auth:\n    <<: *a\n    image: tollgate/auth\n    build: { context: . }\n\n' +
    '  log:\n    image: kafka:4.1.1\n    command: a\n  job:\n    image: tollgate/auth\nvolumes:\n  other:\n    image: y:1\n';
  const pinned = `x-build: &build\n  args:\n    NODE_IMAGE: node:24@${digest}\n\nservices:\n  auth: { build: *build }\n\n  log:\n    image: kafka:4.1.1@${digest}\n`;
  const problems = (change: (text: string) => string, files = { compose, dockerfile }) =>
    problemsOfPins({ ...files, pinned: change(pinned) });

  it.each([
    ['are whole', [], (text: string) => text],
    ['may be another patch', [], (text: string) => text.replace('kafka:4.1.1', 'kafka:4.1.2')],
    [
      'are of the same version',
      ['log: kafka:4.1.1 is pinned as kafka:4.2.1'],
      (text: string) => text.replace('4.1.1', '4.2.1'),
    ],
    ['are digests', ['log: kafka:4.1.1 has no digest'], (text: string) => text.replace(/(kafka:4.1.1)@.*/, '$1')],
    ['are of every service', ['log: kafka:4.1.1 has no digest'], (text: string) => text.replace(/ {2}log:[^]*/, '')],
    [
      'are in each build',
      ['auth: what is built here has no digest'],
      (text: string) => text.replace('auth: { build', 'auth: { x'),
    ],
    ['are of the base', ['NODE_IMAGE: node:24 has no digest'], (text: string) => text.replace('node:24@', 'node:24 ')],
    [
      'are of a base that is used',
      ['nobody uses the pin of B_IMAGE'],
      (text: string) => text.replace('  args:', `  args:\n    B_IMAGE: b:1@${digest}`),
    ],
    ['are used', ['nobody uses the pin of cache'], (text: string) => `${text}  cache:\n    image: redis:8@${digest}\n`],
  ])('%s', (_title, found, change) => {
    expect(problems(change)).toEqual(found);
  });

  it('are of every stage: the Dockerfile takes nothing beside them', () => {
    const other = { compose, dockerfile: `${dockerfile}FROM alpine:3\n` };
    expect(problems((text) => text, other)).toEqual(['the Dockerfile takes alpine:3 past its arguments']);
  });

  it('get the newest digest in place of an earlier one', async () => {
    const once = await withPins('image: d:3\n', async () => digestFor('old'));
    expect(await withPins(once, async () => digestFor('new'))).toBe(`image: d:3@${digestFor('new')}\n`);
    await expect(withPins('image: d:3\n', async () => 'unknown')).rejects.toThrow('has another form');
  });
});
