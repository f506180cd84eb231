import { execFileSync, spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { join } from 'node:path';
import { buildImage } from './build-image.ts';
import { readManifest, repository } from './workspace-packages.ts';

const image = 'tollgate/cli';
const bytesMax = 250e6;

export interface BuiltImage {
  readonly line: string;
  readonly problems: readonly string[];
}

/** Builds the image of the command line and tries it. Where no Docker answers, it says so and why. */
export function buildCliImage(command = 'docker'): BuiltImage {
  const asked = spawnSync(command, ['version'], { encoding: 'utf8' });
  if (asked.status !== 0) return { line: skippedLine(command, asked), problems: [] };
  buildImage('cli', image);
  const bytes = Number(
    execFileSync('docker', ['image', 'inspect', '--format', '{{.Size}}', image], { encoding: 'utf8' }),
  );
  return {
    line: `${image}: ${Math.round(bytes / 1e6)} MB`,
    problems: [
      ...(bytes <= bytesMax ? [] : [`${image} has ${bytes} bytes, more than ${bytesMax}`]),
      ...problemsOfCommands(),
    ],
  };
}

function skippedLine(command: string, { error, stderr }: SpawnSyncReturns<string>): string {
  const why = error === undefined ? (stderr.trim().split('\n').at(-1) ?? '') : `\`${command}\` cannot be run`;
  return `SKIPPED: the image ${image} is neither built nor checked, since no Docker answers (${why})`;
}

/**
 * Compares what the image says with what the package says, without a network and without a file that it could write.
 */
function problemsOfCommands(): string[] {
  const { version } = readManifest(join(repository, 'packages/cli'));
  const wanted = [
    { args: ['--version'], code: 0, says: version },
    { args: ['--help'], code: 0, says: 'login' },
    { args: ['mcp-proxy', '--help'], code: 0, says: '--gate' },
    { args: ['whoami'], code: 3, says: 'tollgate login' },
    { args: ['start'], code: 1, says: 'npx tollgate start' },
    { args: ['operator', '--help'], code: 1, says: 'tollgate/standalone' },
  ];
  return wanted.flatMap(({ args, code, says }) => {
    const run = ['run', '--rm', '--network', 'none', '--read-only', image, ...args];
    const { status, stdout, stderr } = spawnSync('docker', run, { encoding: 'utf8' });
    const output = stdout + stderr;
    return status === code && output.includes(says) ? [] : [`${image} ${args.join(' ')}: ${status} ${output}`];
  });
}
