import { fileURLToPath } from 'node:url';

import { compileTalking } from './compile-talking.ts';

/**
 * `node tools/compile.ts [--tell-start] <tsconfig>`: what `tsc -b` does, which is silent for half a minute on a fresh clone.
 * With `--tell-start`, its only output is when it began, in ms since the epoch: the shell hands that to the next program.
 */
const words = process.argv.slice(2);
const tellsStart = words[0] === '--tell-start';
const compiler = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));
const command = [process.execPath, compiler, '-b', '--verbose', ...words.slice(tellsStart ? 1 : 0)];
// Standard output belongs to the program that runs next.
process.exitCode = await compileTalking(command, (line) => void process.stderr.write(`${line}\n`));
if (tellsStart) process.stdout.write(`${Math.round(performance.timeOrigin)}\n`);
