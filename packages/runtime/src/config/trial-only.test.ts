import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { ConfigError } from './config-error.ts';
import { loadConfig, type Environment } from './load-config.ts';
import { publishedSecrets } from './trial-only.ts';

const schema = z.object({
  HOST: z.string().default('0.0.0.0'),
  PROCESSOR: z.string().default('sandbox'),
  DATABASE_URL: z.url(),
  AUTH_KEY_ENCRYPTION_SECRET: z.string(),
  SANDBOX_WEBHOOK_SECRET: z.string().optional(),
});

const compose = "only for trials on a machine of one's own";
const own = { DATABASE_URL: 'postgresql://auth_api:mine@db/tollgate', AUTH_KEY_ENCRYPTION_SECRET: 'mine' };

function refusedSettings(environment: Environment): string[] {
  try {
    loadConfig(schema, { ...own, ...environment });
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map(({ name }) => name);
    throw error;
  }
  return [];
}

describe('F162 production is no trial', () => {
  const secret = { AUTH_KEY_ENCRYPTION_SECRET: compose };

  it.each([
    ['a published secret', secret, ['AUTH_KEY_ENCRYPTION_SECRET']],
    ['a published password', { DATABASE_URL: 'postgresql://auth_api:tollgate@db/tollgate' }, ['DATABASE_URL']],
    ['a published secret of the sandbox', { SANDBOX_WEBHOOK_SECRET: compose }, ['SANDBOX_WEBHOOK_SECRET']],
    ['real money in a trial', { ...secret, PROCESSOR: 'stripe', TOLLGATE_TRIAL: '1' }, ['AUTH_KEY_ENCRYPTION_SECRET']],
    ['real money on loopback', { ...secret, PROCESSOR: 'stripe', HOST: '::1' }, ['AUTH_KEY_ENCRYPTION_SECRET']],
    ['a trial that is none', { ...secret, TOLLGATE_TRIAL: 'yes' }, ['AUTH_KEY_ENCRYPTION_SECRET']],
    ['an image without a processor', { NODE_ENV: 'production' }, ['PROCESSOR']],
  ])('F162 refuses %s', (_title, environment, refused) => {
    expect(refusedSettings(environment)).toEqual(refused);
  });

  it.each([
    ['own secrets', {}],
    ['a published secret in a trial', { ...secret, TOLLGATE_TRIAL: '1' }],
    ['a published secret on loopback', { ...secret, HOST: '127.0.0.1' }],
    ['a published secret that Stripe does not use', { PROCESSOR: 'stripe', SANDBOX_WEBHOOK_SECRET: compose }],
    ['an image with the sandbox, by name', { NODE_ENV: 'production', PROCESSOR: 'sandbox' }],
    ['an image for a trial', { NODE_ENV: 'production', TOLLGATE_TRIAL: '1' }],
  ])('F162 takes %s', (_title, environment) => {
    expect(refusedSettings(environment)).toEqual([]);
  });

  it('F162 knows every default of a secret in docker-compose.yml', () => {
    const text = readFileSync(new URL('../../../../docker-compose.yml', import.meta.url), 'utf8');
    const defaults = [...text.matchAll(/\$\{(\w*(?:PASSWORD|SECRET|TOKEN|KEY)):-([^}]+)\}/g)];
    const unknown = defaults.filter(
      ([, name, value]) => name !== 'GRAFANA_PASSWORD' && !publishedSecrets.includes(`${value}`),
    );
    expect(defaults.length).toBeGreaterThan(3);
    expect(unknown).toEqual([]);
  });
});
