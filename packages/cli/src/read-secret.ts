import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

let lines: AsyncIterator<string> | undefined;

/** A line of the terminal, or the next line of a pipe. */
export async function readLine(prompt: string): Promise<string> {
  return process.stdin.isTTY ? ask(prompt, process.stderr) : nextLine();
}

/** The same without echo. A secret is no argument, since others can see arguments. */
export async function readSecret(prompt: string): Promise<string> {
  if (!process.stdin.isTTY) return nextLine();
  process.stderr.write(prompt);
  const answer = await ask('', new Writable({ write: (_chunk, _encoding, done) => done() }));
  process.stderr.write('\n');
  return answer;
}

async function ask(prompt: string, output: NodeJS.WritableStream): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output, terminal: true });
  try {
    return await terminal.question(prompt);
  } finally {
    terminal.close();
  }
}

async function nextLine(): Promise<string> {
  lines ??= createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  const line = await lines.next();
  if (line.done === true) throw new Error('standard input has no further line');
  return line.value;
}
