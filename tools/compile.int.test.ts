import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { compileTalking } from './compile-talking.ts';

const program = fileURLToPath(new URL('compile-talking.ts', import.meta.url));
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-compile-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function compile(source: string) {
  writeFileSync(join(folder, 'a.ts'), source);
  const settings = { compilerOptions: { composite: true, outDir: 'dist', rootDir: '.' }, files: ['a.ts'] };
  writeFileSync(join(folder, 'tsconfig.build.json'), JSON.stringify(settings));
  const project = JSON.stringify(join(folder, 'tsconfig.build.json'));
  const script = `import { compilerCommand, compileTalking } from ${JSON.stringify(program)};
    process.exitCode = await compileTalking(compilerCommand(${project}), { say: console.error });`;
  return spawnSync(process.execPath, ['--input-type=module-typescript', '--eval', script], { encoding: 'utf8' });
}

describe('the compiler of a start', () => {
  it('compiles, and says nothing on standard output', () => {
    expect(compile('export const a: number = 1;')).toMatchObject({ status: 0, stdout: '' });
    expect(readFileSync(join(folder, 'dist/a.js'), 'utf8')).toContain('a = 1');
  });

  it('passes complaints on, without the noise, and fails', () => {
    const { status, stdout, stderr } = compile('export const a: string = 1;');
    expect([status === 0, stdout]).toEqual([false, '']);
    expect(stderr).toContain("Type 'number' is not assignable to type 'string'");
    expect(stderr).not.toMatch(/Building project|Projects in this build/);
  });

  it('says again and again which project it has come to, while the compiler is silent', async () => {
    const waiting = createServer((socket) => sockets.push(socket));
    const sockets: { destroy: () => void }[] = [];
    await new Promise<void>((resolve) => waiting.listen(0, '127.0.0.1', resolve));
    const address = waiting.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    // Says what the compiler says, and then nothing until this test lets it go.
    const silent = `console.log("12:00:00 PM - Building project 'packages/kernel/tsconfig.build.json'...");
      require('node:net').connect(${port}, '127.0.0.1').on('close', () => process.exit(0)).resume()`;
    const said: string[] = [];
    const code = await compileTalking([process.execPath, '-e', silent], {
      say(line) {
        said.push(line);
        if (said.length === 2) for (const socket of sockets) socket.destroy();
      },
    });
    waiting.close();
    expect(code).toBe(0);
    const line = expect.stringMatching(/^Compiling Tollgate(: packages\/kernel, project 1)?, \d+ s$/);
    expect(said).toEqual([line, expect.stringMatching(/packages\/kernel, project 1, \d+ s$/), 'Compiled.']);
  });
});
