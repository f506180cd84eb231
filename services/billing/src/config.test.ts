import { describe, expect, it } from '@jest/globals';
import { ConfigError } from '@tollgate/runtime/config/config-error';
import { loadConfig, type Environment } from '@tollgate/runtime/config/load-config';
import { configSchema } from './config.ts';

const database = 'postgresql://billing@db/tollgate';
const required = { DATABASE_API_URL: database, DATABASE_WORKER_URL: database };
const sandbox = { ...required, SANDBOX_WEBHOOK_SECRET: 'at least thirty-two characters of it' };
const stripe = {
  ...required,
  PROCESSOR: 'stripe',
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
};

function problemsOf(environment: Environment): string[] {
  try {
    loadConfig(configSchema, environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map(({ name }) => name);
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
    [
      'everything wrong at once',
      { DATABASE_API_URL: database, PROCESSOR: 'stripe', PORT: '-1', SANDBOX_CLOCK: 'on' },
      ['DATABASE_WORKER_URL', 'PORT', 'SANDBOX_CLOCK', 'STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'],
    ],
  ])('%s', (_name, environment, problems) => {
    expect(problemsOf(environment).toSorted()).toEqual(problems);
  });
});
