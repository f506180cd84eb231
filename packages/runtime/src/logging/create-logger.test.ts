import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { AppError } from '@tollgate/kernel/app-error';
import { createLogger, type Logger } from './create-logger.ts';

function logged(write: (log: Logger) => void): { text: string; facts: Record<string, unknown> } {
  let text = '';
  write(createLogger({ name: 'test', level: 'trace', destination: { write: (line) => void (text += line) } }));
  return { text, facts: JSON.parse(text.split('\n')[0] ?? '') as Record<string, unknown> };
}

const canary = 'canary-5f1d';

describe('a log line', () => {
  it('is one JSON object with level, service, ISO time, facts and message', () => {
    const { text, facts } = logged((log) => log.info({ request_id: 'r1', count: 3n }, 'counted'));
    expect(facts).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      service: 'test',
      request_id: 'r1',
      count: '3',
      msg: 'counted',
    });
    expect(text.endsWith('\n')).toBe(true);
  });

  it.each([
    ...'authorization Authorization password current_password newPassword token access_token refreshToken'.split(' '),
    ...'key apiKey api_key secret clientSecret cookie set-cookie jwt credentials email idempotency_key keys'.split(' '),
  ])('F76 never holds the value of %s, at any depth', (key) => {
    const { text } = logged((log) =>
      log.info({ [key]: canary, request: { headers: [{ [key]: { deeper: canary } }] } }, 'x'),
    );
    expect(text).not.toContain(canary);
    expect(text).toContain('[redacted]');
  });

  it.each(['key_id', 'tokenized', 'monkey', 'tool_id', 'keyboard', 'account_id'])('keeps %s', (key) => {
    expect(logged((log) => log.info({ [key]: 'shown' }, 'x')).facts[key]).toBe('shown');
  });

  it.each([
    ['a URL password', `postgres://user:${canary}@host/db`],
    ['a bearer token', `Authorization: Bearer ${canary}`],
    ['a JWT', `eyJhbGciOi.${canary}.c2ln`],
    ['an API key', `tg_live_${canary.replace('-', '')}aaaaaaaa`],
    ['a pass', `tg_pass_${canary.replace('-', '')}aaaaaaaa`],
    ['the cookie of a session', `tg_session_${canary.replace('-', '')}aaaaaaaa`],
  ])('F76 never holds %s, wherever it stands', (_what, text) => {
    const error = new Error(`failed for ${text}`, { cause: new Error(text) });
    const lines = logged((log) => {
      log.info({ url: text, err: error }, `could not use ${text}`);
      log.child({ origin: text }).warn(text);
      log.error(error);
    });
    expect(lines.text).not.toContain(canary);
    expect(lines.text).not.toContain(canary.replace('-', ''));
  });

  it('shows an error with type, stack, code, detail and causes', () => {
    const error = new AppError('unavailable', 'no', {
      cause: new RangeError('deep'),
      detail: { host: 'h', password: canary },
    });
    const { facts, text } = logged((log) => log.error({ err: error }, 'x'));
    expect(facts['err']).toMatchObject({
      type: 'AppError',
      code: 'unavailable',
      detail: { host: 'h' },
      cause: { type: 'RangeError', message: 'deep' },
    });
    expect(text).not.toContain(canary);
  });

  it('survives cycles, bytes, wrong dates and a key named __proto__', () => {
    const cycle: Record<string, unknown> = { bytes: Buffer.from(canary), when: new Date(Number.NaN) };
    cycle['self'] = cycle;
    const hostile: unknown = JSON.parse('{"__proto__":{"polluted":1}}');
    const { text, facts } = logged((log) => log.info({ cycle, hostile }, 'x'));
    expect(facts['cycle']).toMatchObject({ bytes: '[11 bytes]', when: 'invalid date' });
    expect(text).toContain('"__proto__":{"polluted":1}');
    expect(text).not.toContain(canary);
  });

  it('F76 keeps line breaks of its input inside the one line', () => {
    const { text } = logged((log) => log.info({ path: '/x\r\n{"level":"fatal"}' }, 'a\nb'));
    expect(text.trimEnd().split('\n')).toHaveLength(1);
  });
});

describe('standard output that nobody reads', () => {
  const written = 100_000;
  const program = `
    import { createLogger } from '${fileURLToPath(new URL('create-logger.ts', import.meta.url))}';
    const log = createLogger({ name: 'test' });
    for (let each = 0; each < ${written}; each += 1) log.info({ pad: 'x'.repeat(200) }, 'line');`;

  it('F83 keeps some of the lines for it, drops the rest, and says how many', async () => {
    const args = ['--conditions=@tollgate/source', '--disable-warning=ExperimentalWarning', '--input-type=module'];
    const child = spawn(process.execPath, [...args, '--eval', program]);
    const lines = (await text(child.stdout)).trimEnd().split('\n');
    const facts = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const [dropped] = facts.filter((line) => 'log_lines_dropped' in line);
    expect(dropped).toMatchObject({ level: 'warn', log_lines_dropped: expect.any(Number) });
    const kept = facts.filter(({ msg }) => msg === 'line').length;
    expect(kept).toBeGreaterThan(1_000);
    expect(kept + Number(dropped?.['log_lines_dropped'])).toBe(written);
  }, 20_000);
});
