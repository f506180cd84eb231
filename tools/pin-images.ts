import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { problemsOfPins, withPins } from './image-pins.ts';

/**
 * `pnpm pin-images` writes the present digest behind every image of others into docker-compose.pinned.yml; `--check` fails
 * while one has none, or one is pinned that nobody uses. It asks the docker client, which has the credentials: first the
 * registry, then what was pulled.
 */
const pinnedFile = 'docker-compose.pinned.yml';
const words = process.argv.slice(2);
const folder = resolve(words.find((word) => !word.startsWith('--')) ?? '.');
const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
process.exitCode = words.includes('--check') ? check() : await pin();

function check(): number {
  const problems = problemsOfPins({
    compose: read('docker-compose.yml'),
    dockerfile: read('deploy/docker/Dockerfile'),
    pinned: read(pinnedFile),
  });
  for (const problem of problems) print(problem);
  print(problems.length === 0 ? 'every image has a digest' : `mend ${pinnedFile}, by hand or with \`pnpm pin-images\``);
  return problems.length === 0 ? 0 : 1;
}

async function pin(): Promise<number> {
  writeFileSync(join(folder, pinnedFile), await withPins(read(pinnedFile), digestOf));
  print(`${pinnedFile} has the present digests`);
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
