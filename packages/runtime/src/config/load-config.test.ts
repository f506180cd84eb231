import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { ConfigError } from './config-error.ts';
import { loadConfig, type Environment } from './load-config.ts';
import { createSettingsTable } from './settings-table.ts';

const schema = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(8_080).describe('Where it listens.'),
  LOG_LEVEL: z.enum(['info', 'debug']).default('info').describe('How much it says: a | b.'),
  DATABASE_URL: z.url({ protocol: /^postgres$/ }).describe('Its database.'),
  OPERATOR_TOKEN: z.string().min(32).optional().describe('Opens the operator routes.'),
});

function problemsOf(environment: Environment): string {
  try {
    loadConfig(schema, environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return '';
}

describe('loadConfig', () => {
  it('returns values of the right types, and defaults', () => {
    const config = loadConfig(schema, { PORT: '0', DATABASE_URL: 'postgres://u:p@h/d', SHELL: '/bin/sh' });
    expect(config).toEqual({ PORT: 0, LOG_LEVEL: 'info', DATABASE_URL: 'postgres://u:p@h/d' });
  });

  it('takes an empty variable for an absent one', () => {
    expect(loadConfig(schema, { PORT: '', DATABASE_URL: 'postgres://h/d' }).PORT).toBe(8_080);
  });

  it('F88 names every problem at once, with the value where it is no secret', () => {
    const message = problemsOf({ PORT: '99999', LOG_LEVEL: 'loud', OPERATOR_TOKEN: 'short' });
    expect(message).toMatch(/^4 settings are not right:/);
    for (const part of [/PORT: .*"99999"/, /LOG_LEVEL: .*"loud"/, /DATABASE_URL: is required/, /OPERATOR_TOKEN: /]) {
      expect(message).toMatch(part);
    }
  });

  it('F88 names each variable alone when it alone is missing or wrong', () => {
    expect(problemsOf({})).toMatch(/^One setting is not right:\n {2}DATABASE_URL: is required$/);
    expect(problemsOf({ DATABASE_URL: 'postgres://h/d', PORT: 'x' })).toMatch(/^One setting is not right:\n {2}PORT: /);
  });

  it.each([
    ['70000', 'One setting is not right:\n  PORT: must be a whole number from 0 to 65535 (it is "70000")'],
    ['8.5', 'One setting is not right:\n  PORT: must be a whole number from 0 to 65535 (it is "8.5")'],
    ['http', 'One setting is not right:\n  PORT: must be a whole number from 0 to 65535 (it is "http")'],
  ])('says which numbers a setting takes where it is %s', (port, message) => {
    expect(problemsOf({ DATABASE_URL: 'postgres://h/d', PORT: port })).toBe(message);
  });

  it('keeps the words of a rule about several settings', () => {
    const together = z
      .object({ CLOCK: z.enum(['on', 'off']), MODE: z.string() })
      .refine(() => false, { path: ['CLOCK'], error: 'must be off with MODE=real' });
    expect(() => loadConfig(together, { CLOCK: 'on', MODE: 'real' })).toThrow(/CLOCK: must be off with MODE=real/);
  });

  it('says which words a setting takes', () => {
    expect(problemsOf({ DATABASE_URL: 'postgres://h/d', LOG_LEVEL: 'loud' })).toMatch(
      /LOG_LEVEL: must be info or debug/,
    );
  });

  it('never shows a secret, not even one that a message quotes', () => {
    const quoting = z.object({
      API_SECRET: z.string().refine(() => false, { error: (issue) => `cannot be ${String(issue.input)}` }),
      PUBLIC_URL: z.string().refine(() => false, { error: (issue) => `no ${String(issue.input)}` }),
    });
    const load = () => loadConfig(quoting, { API_SECRET: 'hunter2hunter2', PUBLIC_URL: 'https://x:hunter2@h/' });
    expect(load).toThrow(/API_SECRET: cannot be \[redacted\]/);
    expect(load).not.toThrow(/hunter2/);
  });

  it('reads a secret from the file that NAME_FILE names, without its last line end', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-config-'));
    try {
      const file = join(folder, 'url');
      writeFileSync(file, 'postgres://u:p@h/d\n');
      expect(loadConfig(schema, { DATABASE_URL_FILE: file }).DATABASE_URL).toBe('postgres://u:p@h/d');
      expect(problemsOf({ DATABASE_URL_FILE: join(folder, 'none') })).toBe(
        'One setting is not right:\n  DATABASE_URL: the file named by DATABASE_URL_FILE cannot be read (ENOENT)',
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('createSettingsTable', () => {
  it('has a row a setting: name, default, meaning', () => {
    expect(createSettingsTable(schema)).toBe(
      [
        '| Variable | Default | Meaning |',
        '|---|---|---|',
        '| `PORT` | `8080` | Where it listens. |',
        '| `LOG_LEVEL` | `info` | How much it says: a \\| b. |',
        '| `DATABASE_URL` (or `DATABASE_URL_FILE`) | – | Its database. |',
        '| `OPERATOR_TOKEN` (or `OPERATOR_TOKEN_FILE`) | – | Opens the operator routes. |',
        '',
      ].join('\n'),
    );
  });

  it('refuses a setting that nobody has described', () => {
    expect(() => createSettingsTable(z.object({ PORT: z.string() }))).toThrow('the setting PORT has no description');
  });
});
