import type { ComposedService } from './compose-settings.ts';

interface SettingsOfService {
  readonly type: 'object';
  readonly description: string;
  readonly additionalProperties: false;
  readonly properties: Readonly<Record<string, { readonly type: readonly string[] }>>;
}

/** Listeners and files are those of the images; all settings of Kafka but its secrets may be given. */
const ownOfImage =
  /^(?:HOST|PORT|METRICS_PORT|KEY_ARCHIVE_DIR|SANDBOX_CLOCK_START|DATABASE_(?:API|WORKER)_URL|\w+_FILE)$/;

/**
 * The text of the chart's values.schema.json with the settings that each service may be given: all that it reads, but those
 * that `templates`, the text of the chart's templates, names already.
 */
export function withChartSettings(schema: string, templates: string, services: readonly ComposedService[]): string {
  const named = new Set(templates.match(/\b[A-Z][A-Z\d_]{3,}\b/g));
  const isFree = (setting: string): boolean => !named.has(setting) && !ownOfImage.test(setting);
  const chosen = services
    .filter(({ name }) => name !== 'topics')
    .map(({ name, settings }) => ({ name, free: settings.filter(isFree).toSorted() }));
  const shared = chosen[0]?.free.filter((setting) => chosen.every(({ free }) => free.includes(setting))) ?? [];
  const whole = JSON.parse(schema) as { properties: Record<string, unknown> };
  whole.properties['settings'] = {
    type: 'object',
    description: 'Settings of docs/settings.md. Written by `pnpm settings`.',
    additionalProperties: false,
    properties: {
      all: ofService('Of each service.', shared),
      ...Object.fromEntries(chosen.map(({ name, free }) => [name, ofService(`Of ${name}.`, free)] as const)),
    },
  };
  return `${JSON.stringify(whole, null, 2)}\n`;
}

function ofService(description: string, names: readonly string[]): SettingsOfService {
  const properties = Object.fromEntries(names.map((name) => [name, { type: ['string', 'number', 'boolean'] }]));
  return { type: 'object', description, additionalProperties: false, properties };
}
