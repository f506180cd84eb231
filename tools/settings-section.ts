import { configSchema as aggregatorConfigSchema } from '../services/aggregator/src/config.ts';
import { configSchema as authConfigSchema } from '../services/auth/src/config.ts';
import { configSchema as billingConfigSchema } from '../services/billing/src/config.ts';
import { configSchema as gatewayConfigSchema } from '../services/ingest-gateway/src/config.ts';
import { standaloneConfigSchema } from '../services/standalone/src/config.ts';
import { createSettingsTable } from '../packages/runtime/src/config/settings-table.ts';

const begin = '<!-- settings: written by `pnpm settings` from each config.ts -->';
const end = '<!-- /settings -->';
// The formatter would pad the cells, and any change would rewrite every row.
const unformatted = ['<!-- prettier-ignore-start -->', '<!-- prettier-ignore-end -->'] as const;

const services = [
  { title: 'standalone (`pnpm start`)', schema: standaloneConfigSchema },
  { title: 'auth', schema: authConfigSchema },
  { title: 'ingest-gateway', schema: gatewayConfigSchema },
  { title: 'aggregator', schema: aggregatorConfigSchema },
  { title: 'billing', schema: billingConfigSchema },
];

/** The README with the settings tables between its two marks written anew from the schemas that read the settings. */
export function withSettings(readme: string): string {
  const [before, rest] = readme.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`the README lacks ${begin} … ${end}`);
  const tables = services.map(({ title, schema }) => `#### ${title}\n\n${createSettingsTable(schema).trim()}`);
  return [before + begin, unformatted[0], ...tables, unformatted[1], end + after].join('\n\n');
}
