import { configSchema as aggregatorConfigSchema } from '@tollgate/aggregator/config';
import { configSchema as authConfigSchema } from '@tollgate/auth/config';
import { configSchema as billingConfigSchema } from '@tollgate/billing/config';
import { configSchema as gatewayConfigSchema } from '@tollgate/ingest-gateway/config';
import { configSchema as notifierConfigSchema } from '@tollgate/notifier/config';
import { ConfigError, type ConfigProblem } from '@tollgate/runtime/config/config-error';
import { isLoopback } from '@tollgate/runtime/config/trial-only';
import { loadConfig, type Environment } from '@tollgate/runtime/config/load-config';

import { baseUrlOf } from './base-url.ts';
import { standaloneConfigSchema, type StandaloneConfig } from './config.ts';
import type { DataSecret } from './data-secret.ts';

export interface ServiceSettings {
  readonly environment: Environment;
  readonly urlFor: (role: string) => string;
  /** Used where the environment has none. */
  readonly secrets: Readonly<Record<DataSecret, string>>;
}

/**
 * Loads the settings of the five services from the environment, except for the settings that standalone provides. One
 * error names the problems of all.
 */
export function loadServiceConfigs({ environment, urlFor, secrets }: ServiceSettings) {
  const provided = (service: string): Environment => ({
    ...environment,
    DATABASE_API_URL: urlFor(`${service}_api`),
    DATABASE_WORKER_URL: urlFor(`${service}_worker`),
    AUTH_KEY_ENCRYPTION_SECRET: environment['AUTH_KEY_ENCRYPTION_SECRET'] || secrets.auth,
    SANDBOX_WEBHOOK_SECRET: environment['SANDBOX_WEBHOOK_SECRET'] || secrets.webhook,
    WEBHOOK_ENCRYPTION_SECRET: environment['WEBHOOK_ENCRYPTION_SECRET'] || secrets.notifier,
    MAIL_SECRET: environment['MAIL_SECRET'] || (environment['SMTP_URL'] ? secrets.mail : undefined),
    PUBLIC_URL: environment['PUBLIC_URL'] || ownUrlOf(environment),
    // Strangers reach the services as they reach standalone.
    TOLLGATE_TRIAL: isLoopback(environment['HOST'] || '127.0.0.1') ? '1' : environment['TOLLGATE_TRIAL'],
    // Standalone has these for itself, with defaults that differ from a single service's.
    HOST: undefined,
    PORT: undefined,
    METRICS_PORT: undefined,
  });
  const load = {
    auth: () => loadConfig(authConfigSchema, provided('auth')),
    billing: () => loadConfig(billingConfigSchema, provided('billing')),
    aggregator: () => loadConfig(aggregatorConfigSchema, provided('aggregator')),
    gateway: () => loadConfig(gatewayConfigSchema, provided('ingest_gateway')),
    notifier: () => loadConfig(notifierConfigSchema, provided('notifier')),
  };
  refuseProblems(Object.values(load));
  const [auth, billing, aggregator, gateway] = [load.auth(), load.billing(), load.aggregator(), load.gateway()];
  return { auth, billing, aggregator, gateway, notifier: load.notifier() };
}

/**
 * Where this machine reaches a standalone that only it can reach. Clients of OAuth compare the address, so it is known before
 * the start, which that of a free port is not.
 */
function ownUrlOf({ HOST, PORT }: Environment): string | undefined {
  const [host, port] = [HOST || '127.0.0.1', Number(PORT || standaloneConfigSchema.shape.PORT.parse(undefined))];
  return isLoopback(host) && port > 0 ? baseUrlOf({ host, port }) : undefined;
}

/** Checks all settings, standalone's and the services', so that a start with a wrong setting fails before it changes anything. */
export function readStandaloneConfig(environment: Environment): StandaloneConfig {
  const notYetKnown = 'postgresql://not-yet-known';
  const load = () => loadConfig(standaloneConfigSchema, environment);
  const secret = 'the data folder has it after the first start';
  const secrets = { auth: secret, webhook: secret, notifier: secret, mail: secret };
  const loadServices = () => loadServiceConfigs({ environment, urlFor: () => notYetKnown, secrets });
  refuseProblems([load, loadServices]);
  return load();
}

function refuseProblems(loads: readonly (() => unknown)[]): void {
  const problems = new Map<string, ConfigProblem>();
  for (const problem of loads.flatMap(problemsOf)) problems.set(problem.name, problem); // three services have TOKEN_ISSUER
  if (problems.size > 0) throw new ConfigError([...problems.values()]);
}

function problemsOf(load: () => unknown): readonly ConfigProblem[] {
  try {
    load();
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}
