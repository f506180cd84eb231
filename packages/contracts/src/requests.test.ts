import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { systemClock } from '@tollgate/kernel/clock';
import type { z } from 'zod';
import { changePasswordSchema, emailSchema, loginSchema, registerSchema } from './accounts/accounts.ts';
import { createApiKeySchema } from './accounts/api-keys.ts';
import { eventQuerySchema } from './events/event-query.ts';
import { batchSchema } from './events/events.ts';
import { fieldErrorsOf } from './forms/field-errors.ts';
import { idempotencyKeySchema } from './forms/idempotency-key.ts';
import { pageQuerySchema } from './forms/lists.ts';
import { createPriceVersionSchema, createToolSchema, toolQuerySchema, updateToolSchema } from './tools/tools.ts';
import { usageQuerySchema } from './money/usage.ts';

const judge = (schema: z.ZodType, value: unknown) => {
  const parsed = schema.safeParse(value);
  return parsed.success ? 'ok' : fieldErrorsOf(parsed.error, value).map(({ pointer, code }) => `${pointer} ${code}`);
};
const password = 'long enough';
const tool = { slug: 'web-search', name: 'Web search', price: { per_call_usd: '0.002' } };

describe('e-mail addresses', () => {
  it('are trimmed and lower-cased', () => {
    expect(emailSchema.parse('  Ada.Lovelace+x@Example.COM\n')).toBe('ada.lovelace+x@example.com');
  });

  it.each(['a@b', "o'hara!#$%&*+/=?^_`{|}~-@example.com", `a@${'b'.repeat(63)}.org`, `${'a'.repeat(248)}@b.org`])(
    'may be %s',
    (email) => {
      expect(judge(emailSchema, email)).toBe('ok');
    },
  );

  const wrong = 'a @b.org a@ a@b@c.org a@-b.org a@b-.org a@b..org a@.org ä@b.org a@bücher.example "quoted"@b.org';
  const unsplit = [
    '',
    'a b@c.org',
    'a@[127.0.0.1]',
    'a@b.org\0',
    `a@${'b'.repeat(64)}.org`,
    `${'a'.repeat(250)}@b.org`,
  ];

  it.each(wrong.split(' ').concat(unsplit))('may not be %j', (email) => {
    expect(judge(emailSchema, email)).not.toBe('ok');
  });

  it('are judged in no time, however long and hostile', () => {
    const before = systemClock.monotonicMs();
    const hostile = [
      'a'.repeat(1e5),
      'a@'.repeat(5e4),
      `a@${'b.'.repeat(5e4)}`,
      ' '.repeat(1e5),
      `a@${'-'.repeat(1e5)}`,
    ];
    for (const email of hostile) expect(judge(emailSchema, email)).not.toBe('ok');
    expect(systemClock.monotonicMs() - before).toBeLessThan(1_000); // one that goes back over such a text takes 2.5 s
  });
});

describe('accounts', () => {
  it.each<[string, unknown, unknown]>([
    ['eight characters', 'x'.repeat(8), 'ok'],
    ['seven', 'x'.repeat(7), ['/password too_short']],
    ['eight emoji', '😀'.repeat(8), 'ok'],
    ['seven emoji (14 UTF-16 units)', '😀'.repeat(7), ['/password too_short']],
    ['128 emoji', '😀'.repeat(128), 'ok'],
    ['129 emoji', '😀'.repeat(129), ['/password too_long']],
    ['blanks alone', ' '.repeat(8), 'ok'],
    ['a number', 12345678, ['/password invalid_type']],
    ['null', null, ['/password invalid_type']],
    ['nothing', undefined, ['/password required']],
  ])('a new password of %s', (_, value, verdict) => {
    expect(judge(registerSchema, { email: 'a@b.org', password: value })).toEqual(verdict);
  });

  it('take a new password as it was sent', () => {
    expect(registerSchema.parse({ email: 'a@b.org', password: '  Ünïcode  ' })).toEqual({
      email: 'a@b.org',
      password: '  Ünïcode  ',
    });
  });

  it('let a short password be wrong at login, not malformed', () => {
    expect(judge(loginSchema, { email: 'a@b.org', password: 'x' })).toBe('ok');
    expect(judge(loginSchema, { email: 'a@b.org', password: '' })).toEqual(['/password too_short']);
    expect(judge(changePasswordSchema, { current_password: 'x', new_password: 'x' })).toEqual([
      '/new_password too_short',
    ]);
  });

  it('ignore what they do not know', () => {
    expect(registerSchema.parse({ email: 'a@b.org', password, role: 'operator', account_id: 'x' })).toEqual({
      email: 'a@b.org',
      password,
    });
  });

  it.each<[unknown, unknown]>([
    ['a', 'ok'],
    ['😀'.repeat(100), 'ok'],
    ['', ['/name too_short']],
    ['x'.repeat(101), ['/name too_long']],
    [null, ['/name invalid_type']],
  ])('an API key named %j', (name, verdict) => {
    expect(judge(createApiKeySchema, { name })).toEqual(verdict);
  });
});

describe('tools', () => {
  it.each(['a', '0', 'web-search', 'a--b', 'x'.repeat(63)])('slug %s', (slug) => {
    expect(judge(createToolSchema, { ...tool, slug })).toBe('ok');
  });

  it.each(['', '-a', 'a-', 'A', 'a_b', 'a.b', 'a b', 'ä', 'x'.repeat(64), 'a\n', '../a'])('no slug %j', (slug) => {
    expect(judge(createToolSchema, { ...tool, slug })).toEqual(['/slug invalid_format']);
  });

  it('point at a fault inside the price', () => {
    expect(judge(createToolSchema, { ...tool, price: { currency: 'usd', charges: [{}] } })).toEqual([
      '/price/charges/0/metric required',
      '/price/charges/0/model required',
    ]);
    expect(judge(createToolSchema, { ...tool, price: undefined })).toEqual(['/price required']);
    expect(judge(createToolSchema, { ...tool, price: null })).toEqual(['/price invalid_type']);
  });

  it('take null for no description, and have limits in code points', () => {
    expect(createToolSchema.parse({ ...tool, description: null }).description).toBeUndefined();
    expect(judge(createToolSchema, { ...tool, description: '😀'.repeat(2000) })).toBe('ok');
    expect(judge(createToolSchema, { ...tool, description: 'x'.repeat(2001) })).toEqual(['/description too_long']);
    expect(judge(createToolSchema, { ...tool, name: '😀'.repeat(201) })).toEqual(['/name too_long']);
  });

  it('may be changed in part, but not their slug or price', () => {
    expect(updateToolSchema.parse({ description: '' })).toEqual({ description: '' });
    expect(judge(updateToolSchema, {})).toBe('ok');
    expect(judge(updateToolSchema, { name: null })).toEqual(['/name invalid_type']);
    expect(judge(updateToolSchema, { slug: 'b', price: {} })).toEqual(['/slug unknown_field', '/price unknown_field']);
  });

  it.each<[string, unknown]>([
    ['2026-12-01T00:00:00Z', 'ok'],
    ['2026-12-01T05:30:00+05:30', 'ok'], // a full hour in UTC
    ['2026-12-01T00:00:00.0009Z', 'ok'], // cut to it
    ['2026-12-01T00:30:00Z', ['/effective_from not_on_the_hour']],
    ['2026-12-01T00:00:00+05:30', ['/effective_from not_on_the_hour']],
    ['2026-12-01T00:00:00.001Z', ['/effective_from not_on_the_hour']],
    ['2026-12-01', ['/effective_from invalid_timestamp']],
  ])('get a new price at %s', (effectiveFrom, verdict) => {
    expect(judge(createPriceVersionSchema, { price: tool.price, effective_from: effectiveFrom })).toEqual(verdict);
  });
});

describe('a batch', () => {
  it('judges its envelope only', () => {
    expect(judge(batchSchema, { events: [null, 1, 'x', {}, { tool_id: 'a' }] })).toBe('ok');
    expect(judge(batchSchema, { events: Array.from({ length: 1000 }, () => ({})) })).toBe('ok');
  });

  it.each<[string, unknown, string[]]>([
    ['no events', {}, ['/events required']],
    ['an empty list', { events: [] }, ['/events too_short']],
    ['1,001', { events: Array.from({ length: 1001 }, () => ({})) }, ['/events too_long']],
    ['an object', { events: {} }, ['/events invalid_type']],
    ['null', { events: null }, ['/events invalid_type']],
    ['a bare list', [{ tool_id: 'a' }], [' invalid_type']],
  ])('is refused with %s', (_, value, verdict) => {
    expect(judge(batchSchema, value)).toEqual(verdict);
  });
});

describe('queries', () => {
  it('have defaults', () => {
    expect(pageQuerySchema.parse({})).toEqual({ limit: 20 });
    expect(toolQuerySchema.parse({})).toEqual({ limit: 20, owner: 'me' });
    expect(eventQuerySchema.parse({})).toEqual({ limit: 20, role: 'consumer' });
    expect(usageQuerySchema.parse({})).toEqual({ role: 'consumer' });
  });

  it.each(['1', '20', '100'])('limit=%s', (limit) => {
    expect(pageQuerySchema.parse({ limit })).toEqual({ limit: Number(limit) });
  });

  it.each(['0', '101', '-1', '', ' 5', '5.0', '1e1', '0x10', '05', 'ten', '１', '999999999999999999999'])(
    'no limit=%j',
    (limit) => {
      expect(judge(pageQuerySchema, { limit })).toEqual(['/limit invalid_limit']);
    },
  );

  it('want `from` before `to`, and allow them to be equal', () => {
    const [early, late] = ['2026-11-21T12:00:00Z', '2026-11-21T13:00:00Z'];
    for (const schema of [eventQuerySchema, usageQuerySchema]) {
      expect(judge(schema, { from: early, to: late })).toBe('ok');
      expect(judge(schema, { from: early, to: early })).toBe('ok');
      expect(judge(schema, { from: late, to: early })).toEqual(['/to invalid_value']);
    }
  });

  it('never let a builder search by key: keys are the consumers’', () => {
    expect(judge(eventQuerySchema, { role: 'consumer', idempotency_key: 'a' })).toBe('ok');
    expect(judge(eventQuerySchema, { role: 'builder', idempotency_key: 'a' })).toEqual([
      '/idempotency_key invalid_value',
    ]);
    expect(judge(eventQuerySchema, { role: 'operator' })).toEqual(['/role invalid_value']);
  });

  it('never let a builder tell passes apart: they are the consumers’', () => {
    for (const by of ['pass_id', 'tool_id,tag.team'])
      expect(judge(usageQuerySchema, { role: 'builder', group_by: by })).toEqual(['/group_by invalid_value']);
    expect(judge(eventQuerySchema, { role: 'builder', pass_id: randomUUID() })).toEqual(['/pass_id invalid_value']);
    expect(judge(eventQuerySchema, { pass_id: randomUUID() })).toBe('ok');
    expect(judge(eventQuerySchema, { pass_id: 'all' })).toEqual(['/pass_id invalid_format']);
  });

  it.each<[string, unknown]>([
    ['tool_id', ['tool_id']],
    ['success,tool_id', ['tool_id', 'success']],
    ['consumer_id,success,tool_id', ['tool_id', 'consumer_id', 'success']],
    ['tag.team,pass_id', ['pass_id', 'tag.team']],
    [
      `tag. x,tag.${'é'.repeat(40)},tag.c,tag.d,tag.tag.`,
      ['tag. x', `tag.${'é'.repeat(40)}`, 'tag.c', 'tag.d', 'tag.tag.'],
    ],
  ])('group_by=%s', (groupBy, value) => {
    expect(usageQuerySchema.parse({ group_by: groupBy }).group_by).toEqual(value);
  });

  it.each([
    '',
    ',',
    'tool_id,',
    'tool_id,tool_id',
    'tool',
    'tool_id, success',
    'toString',
    'tag.',
    'tag',
    'tag.a,tag.a',
    `tag.${'a'.repeat(41)}`,
    'tag.\0',
    'tag.a,tag.b,tag.c,tag.d,tag.e,tag.f',
  ])('no group_by=%j', (groupBy) => {
    expect(judge(usageQuerySchema, { group_by: groupBy })).toEqual(['/group_by invalid_value']);
  });

  it('take usage on full hours only', () => {
    expect(judge(usageQuerySchema, { from: '2026-11-21T12:00:01Z', to: '2026-11-21T12:30:00Z' })).toEqual([
      '/from not_on_the_hour',
      '/to not_on_the_hour',
    ]);
    expect(judge(usageQuerySchema, { granularity: 'week' })).toEqual(['/granularity invalid_value']);
  });

  it('take no NUL to the database', () => {
    expect(judge(eventQuerySchema, { tool_id: 'a\0' })).toEqual(['/tool_id invalid_characters']);
    expect(judge(usageQuerySchema, { tool_id: '\0' })).toEqual(['/tool_id invalid_characters']);
    expect(judge(pageQuerySchema, { cursor: '\0' })).toEqual(['/cursor invalid_characters']);
  });
});

describe('the Idempotency-Key header', () => {
  it.each(['a', 'with blanks inside', '~'.repeat(255)])('may be %j', (key) => {
    expect(judge(idempotencyKeySchema, key)).toBe('ok');
  });

  it.each(['', ' ', ' a', 'a ', 'x'.repeat(256), 'ä', 'a\tb', 'a\nb'])('may not be %j', (key) => {
    expect(judge(idempotencyKeySchema, key)).toEqual([' invalid_format']);
  });
});
