import { compileTalking, compilerCommand } from './compile-talking.ts';

/** `node tools/compile.ts <tsconfig>`: what `tsc -b` does, which is silent for half a minute on a fresh clone. */
const { code } = await compileTalking(compilerCommand(...process.argv.slice(2)), (line) => {
  process.stderr.write(`${line}\n`); // standard output belongs to the program that runs next
});
process.exitCode = code;
