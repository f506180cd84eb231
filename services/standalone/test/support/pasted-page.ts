import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

export interface PastedBlock {
  readonly commands: string;
  /** The output that the page shows below the commands. */
  readonly output: string;
}

export function readPage(path: string): string {
  return readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');
}

/** Each block of commands of a page, with the output that the page shows below it. */
export function blocksOf(page: string): PastedBlock[] {
  const blocks = page.matchAll(/```sh\n(.*?)```\n\n```text\n(.*?)```/gs);
  return Array.from(blocks, ([, commands = '', output = '']) => ({ commands, output: output.trim() }));
}

/** Pastes the blocks one after the other into one shell, and returns what each printed. */
export async function paste(
  blocks: readonly PastedBlock[],
  { first = '', adapt }: { first?: string; adapt: (commands: string) => string },
): Promise<{ outputs: string[]; stderr: string }> {
  const pasted = blocks.map(({ commands }) => adapt(commands));
  const script = `${first}\n${pasted.join('\necho; echo ~~~\n')}`;
  const { stdout, stderr } = await promisify(execFile)('/bin/sh', ['-c', script]);
  return { outputs: stdout.split('~~~\n').map((output) => output.trim()), stderr };
}
