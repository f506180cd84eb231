import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from '@jest/globals';
import { describeWithPython, openPython } from '../e2e/clients/python-environment.ts';
import { itWith, openFolder } from '../e2e/it-with.ts';
import { breachedPasswordsFile } from '../services/auth/src/accounts/breached-passwords.ts';
import { repository } from './release/workspace-packages.ts';

describeWithPython('the list of breached passwords', () => {
  const it = itWith(async (undo) => ({
    python: await openPython(undo, []),
    file: join(openFolder('breached-passwords', undo), 'made.bin'),
  }));

  it('F155 has each of the four million words of its sources, and is made from them to the byte', async (made) => {
    const tool = join(repository, 'tools/write-breached-passwords.ts'); // it compares the words, outside jest: 20 s
    await promisify(execFile)(process.execPath, ['--conditions=@tollgate/source', tool, made.file, made.python]);
    expect(readFileSync(made.file).equals(readFileSync(breachedPasswordsFile))).toBe(true);
  }, 600_000);
});
