import { describe, expect, it } from '@jest/globals';
import { ConfigError, type ConfigProblem } from '@tollgate/runtime/config/config-error';
import { loadConfig, type Environment } from '@tollgate/runtime/config/load-config';
import { configSchema } from './config.ts';

const database = 'postgresql://billing@db/tollgate';
const required = { DATABASE_API_URL: database, DATABASE_WORKER_URL: database };
const sandbox = { ...required, SANDBOX_WEBHOOK_SECRET: 'at least thirty-two characters of it' };
const stripe = { ...required, PROCESSOR: 'stripe', STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' };

function problemsOf(environment: Environment): readonly ConfigProblem[] {
  try {
    loadConfig(configSchema, environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

describe('the settings of billing', () => {
  it.each<[string, Environment, string[]]>([
    ['the sandbox with its secret', sandbox, []],
    ['the sandbox with a clock of its own', { ...sandbox, SANDBOX_CLOCK: 'on' }, []],
    ['the sandbox without its secret', required, ['SANDBOX_WEBHOOK_SECRET']],
    ['Stripe with its secrets', stripe, []],
    ['Stripe by a restricted key', { ...stripe, STRIPE_SECRET_KEY: 'rk_live_1' }, []],
    ['Stripe with a publishable key', { ...stripe, STRIPE_SECRET_KEY: 'pk_live_1' }, ['STRIPE_SECRET_KEY']],
    ['Stripe with the clock on', { ...stripe, SANDBOX_CLOCK: 'on' }, ['SANDBOX_CLOCK']],
    [
      'Stripe with a start of the clock',
      { ...stripe, SANDBOX_CLOCK_START: '2026-01-01T00:00:00Z' },
      ['SANDBOX_CLOCK_START'],
    ],
    ['Stripe with calls of this machine', { ...stripe, OUTGOING_ALLOW: 'loopback' }, ['OUTGOING_ALLOW']],
    ['the sandbox with calls of this machine', { ...sandbox, OUTGOING_ALLOW: 'loopback' }, []],
    [
      'everything wrong at once',
      { DATABASE_API_URL: database, PROCESSOR: 'stripe', PORT: '-1', SANDBOX_CLOCK: 'on' },
      ['DATABASE_WORKER_URL', 'PORT', 'SANDBOX_CLOCK', 'STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'],
    ],
  ])('%s', (_name, environment, problems) => {
    const names = problemsOf(environment).map(({ name }) => name);
    expect(names.toSorted()).toEqual(problems);
  });

  it('let the platform bear the fee of the processor, or builders', () => {
    const bearerOf = (environment: Environment) => loadConfig(configSchema, environment).PROCESSOR_FEE_BEARER;
    expect(bearerOf(sandbox)).toBe('platform');
    expect(bearerOf({ ...sandbox, PROCESSOR_FEE_BEARER: 'builder' })).toBe('builder');
  });

  it('say why consumers cannot bear the fee of the processor', () => {
    const message = expect.stringMatching(
      /^must be platform or builder: .*after the charge.* Let prices cover it \(it is "consumer"\)$/,
    );
    const refused = { name: 'PROCESSOR_FEE_BEARER', message };
    expect(problemsOf({ ...sandbox, PROCESSOR_FEE_BEARER: 'consumer' })).toEqual([refused]);
    const other = { name: 'PROCESSOR_FEE_BEARER', message: 'must be platform or builder (it is "nobody")' };
    expect(problemsOf({ ...sandbox, PROCESSOR_FEE_BEARER: 'nobody' })).toEqual([other]);
  });
});
