import { fileURLToPath } from 'node:url';

import { compileTalking } from './compile-talking.ts';

/** `node tools/compile.ts <tsconfig>`: what `tsc -b` does, which is silent for half a minute on a fresh clone. */
const compiler = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));
const command = [process.execPath, compiler, '-b', '--verbose', ...process.argv.slice(2)];
// Standard output belongs to the program that runs next.
process.exitCode = await compileTalking(command, (line) => void process.stderr.write(`${line}\n`));
