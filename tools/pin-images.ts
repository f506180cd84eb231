import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { unpinnedImages, withPins } from './image-pins.ts';

/**
 * `pnpm pin-images` writes the digest behind every image of others; `--check` fails while one has none. It asks the docker
 * client, which has the credentials: first the registry, then what was pulled.
 */
const files = ['deploy/docker/Dockerfile', 'docker-compose.yml', 'docker-compose.tls.yml'];
const words = process.argv.slice(2);
const folder = resolve(words.find((word) => !word.startsWith('--')) ?? '.');
process.exitCode = words.includes('--check') ? check() : await pin();

function check(): number {
  const unpinned = files.flatMap((file) =>
    unpinnedImages(readFileSync(join(folder, file), 'utf8')).map((image) => `${file}: ${image}`),
  );
  for (const line of unpinned) print(`${line} has no digest`);
  print(unpinned.length === 0 ? 'every image has a digest' : 'pin them with `pnpm pin-images`');
  return unpinned.length === 0 ? 0 : 1;
}

async function pin(): Promise<number> {
  const texts = new Map<string, string>();
  for (const file of files) texts.set(file, await withPins(readFileSync(join(folder, file), 'utf8'), digestOf));
  for (const [file, text] of texts) writeFileSync(join(folder, file), text); // all or none, should a registry not answer
  print(`${files.join(', ')} name images by digest`);
  return 0;
}

async function digestOf(image: string): Promise<string> {
  const asked = await docker(['buildx', 'imagetools', 'inspect', image, '--format', '{{.Manifest.Digest}}']).catch(
    async (error: unknown) => {
      const pulled = await docker(['image', 'inspect', '--format', '{{join .RepoDigests "\\n"}}', image]).catch(
        () => '',
      );
      if (pulled === '') throw new Error(`docker knows no digest of ${image}; pull it first`, { cause: error });
      return pulled.split('\n')[0]?.split('@')[1] ?? '';
    },
  );
  print(`${image} is ${asked}`);
  return asked;
}

async function docker(args: readonly string[]): Promise<string> {
  return (await promisify(execFile)('docker', args)).stdout.trim();
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
