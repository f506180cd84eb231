import { configSchema as aggregatorConfigSchema } from '@tollgate/aggregator/config';
import { configSchema as authConfigSchema } from '@tollgate/auth/config';
import { configSchema as billingConfigSchema } from '@tollgate/billing/config';
import { configSchema as gatewayConfigSchema } from '@tollgate/ingest-gateway/config';
import { ConfigError, type ConfigProblem } from '@tollgate/runtime/config/config-error';
import { loadConfig, type Environment } from '@tollgate/runtime/config/load-config';

import { standaloneConfigSchema, type StandaloneConfig } from './config.ts';
import type { DataSecret } from './data-secret.ts';

export interface ServiceSettings {
  readonly environment: Environment;
  readonly urlFor: (role: string) => string;
  /** For those that the environment does not have. */
  readonly secrets: Readonly<Record<DataSecret, string>>;
}

/**
 * The settings of the four, as each reads them: from the environment, but for what standalone provides itself. All
 * problems of all four are told at once.
 */
export function loadServiceConfigs({ environment, urlFor, secrets }: ServiceSettings) {
  const provided = (service: string): Environment => ({
    ...environment,
    DATABASE_API_URL: urlFor(`${service}_api`),
    DATABASE_WORKER_URL: urlFor(`${service}_worker`),
    AUTH_KEY_ENCRYPTION_SECRET: environment['AUTH_KEY_ENCRYPTION_SECRET'] || secrets.auth,
    SANDBOX_WEBHOOK_SECRET: environment['SANDBOX_WEBHOOK_SECRET'] || secrets.webhook,
    // Standalone's own, with other defaults than those of a service by itself.
    HOST: undefined,
    PORT: undefined,
    METRICS_PORT: undefined,
  });
  const load = {
    auth: () => loadConfig(authConfigSchema, provided('auth')),
    billing: () => loadConfig(billingConfigSchema, provided('billing')),
    aggregator: () => loadConfig(aggregatorConfigSchema, provided('aggregator')),
    gateway: () => loadConfig(gatewayConfigSchema, provided('ingest_gateway')),
  };
  refuseProblems(Object.values(load));
  return { auth: load.auth(), billing: load.billing(), aggregator: load.aggregator(), gateway: load.gateway() };
}

/** For a start that must fail on a wrong setting before it has touched anything; names those of standalone itself too. */
export function readStandaloneConfig(environment: Environment): StandaloneConfig {
  const knownLater = 'postgresql://known-once-started';
  const load = () => loadConfig(standaloneConfigSchema, environment);
  const kept = 'made at the first start, then kept';
  const secrets = { auth: kept, webhook: kept };
  const loadServices = () => loadServiceConfigs({ environment, urlFor: () => knownLater, secrets });
  refuseProblems([load, loadServices]);
  return load();
}

function refuseProblems(loads: readonly (() => unknown)[]): void {
  const problems = new Map<string, ConfigProblem>();
  for (const problem of loads.flatMap(problemsOf)) problems.set(problem.name, problem); // TOKEN_ISSUER is in three of them
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
