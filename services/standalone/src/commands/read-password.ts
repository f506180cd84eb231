import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

import { CommandError } from './command-error.ts';

/**
 * Reads a password from the terminal without echo, or the first line of a pipe. It is never an argument, since arguments
 * are visible in the shell's history and in `ps`.
 */
export async function readPassword(prompt: string): Promise<string> {
  if (!process.stdin.isTTY) return readFirstLine();
  process.stderr.write(prompt);
  const withoutEcho = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: withoutEcho, terminal: true });
  const abort = new AbortController();
  terminal.once('SIGINT', () => abort.abort());
  try {
    return await terminal.question('', { signal: abort.signal });
  } catch {
    throw new CommandError('nothing was changed');
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}

async function readFirstLine(): Promise<string> {
  const lines = createInterface({ input: process.stdin });
  for await (const line of lines) return line;
  throw new CommandError('the new password is read from standard input, which is empty');
}
