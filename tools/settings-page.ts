import { configSchema as aggregatorConfigSchema } from '../services/aggregator/src/config.ts';
import { configSchema as authConfigSchema } from '../services/auth/src/config.ts';
import { configSchema as billingConfigSchema } from '../services/billing/src/config.ts';
import { configSchema as gatewayConfigSchema } from '../services/ingest-gateway/src/config.ts';
import { configSchema as notifierConfigSchema } from '../services/notifier/src/config.ts';
import { standaloneConfigSchema, topicsConfigSchema } from '../services/standalone/src/config.ts';
import type { ComposedService } from './compose-settings.ts';
import { createSettingsTable } from '../packages/runtime/src/config/settings-table.ts';

const introduction = `# Settings

Written by \`pnpm settings\` from the \`config.ts\` of each service; a test compares.

Settings are environment variables. In one process (\`pnpm start\`) every setting has a default. A service that runs by itself
needs its database addresses and its secrets. A service names all wrong settings at once and does not start. In one process,
\`standalone\` gives the services their database addresses and listeners; all other settings of theirs apply as below.

\`TOLLGATE_TRIAL=1\` says of the whole deployment that it is a trial. Then the services take the secrets of
\`docker-compose.yml\`, and an image runs the sandbox without \`PROCESSOR\`. With \`PROCESSOR=stripe\` it changes nothing.`;

const services = [
  { title: 'standalone (`pnpm start`)', schema: standaloneConfigSchema },
  { title: 'auth', schema: authConfigSchema },
  { title: 'ingest-gateway', schema: gatewayConfigSchema },
  { title: 'aggregator', schema: aggregatorConfigSchema },
  { title: 'billing', schema: billingConfigSchema },
  { title: 'notifier', schema: notifierConfigSchema },
];

/** The services of docker-compose.yml, with the job that creates topics. */
export const composedServices: readonly ComposedService[] = [
  { name: 'auth', settings: Object.keys(authConfigSchema.shape) },
  { name: 'ingest-gateway', settings: Object.keys(gatewayConfigSchema.shape) },
  { name: 'aggregator', settings: Object.keys(aggregatorConfigSchema.shape) },
  { name: 'billing', settings: Object.keys(billingConfigSchema.shape) },
  { name: 'notifier', settings: Object.keys(notifierConfigSchema.shape) },
  { name: 'topics', settings: Object.keys(topicsConfigSchema.shape) },
];

/** `docs/settings.md`, from the schemas by which the services read their settings. */
export function settingsPage(): string {
  const tables = services.map(({ title, schema }) => `## ${title}\n\n${createSettingsTable(schema).trim()}`);
  return `${[introduction, ...tables].join('\n\n')}\n`;
}
