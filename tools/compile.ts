import { compileTalking, compilerCommand } from './compile-talking.ts';

/** `node tools/compile.ts <tsconfig>`: what `tsc -b` does, which is silent for half a minute on a fresh clone. */
process.exitCode = await compileTalking(compilerCommand(...process.argv.slice(2)), {
  say: (line) => void process.stderr.write(`${line}\n`), // standard output belongs to the program that runs next
});
