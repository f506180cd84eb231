import { readFileSync } from 'node:fs';

import { expect, it } from '@jest/globals';

import { withChartSettings } from './chart-settings.ts';
import { withComposeSettings } from './compose-settings.ts';
import { readChart } from './read-chart.ts';
import { composedServices, settingsPage } from './settings-page.ts';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

it('docs/settings.md has the settings as the services read them (else: pnpm settings)', () => {
  expect(read('../docs/settings.md')).toBe(settingsPage());
});

it('docker-compose.yml passes every setting on to the services that read it (else: pnpm settings)', () => {
  const compose = read('../docker-compose.yml');
  expect(compose).toBe(withComposeSettings(compose, composedServices));
  const billing = compose.slice(compose.indexOf('\n  billing:'), compose.indexOf('\n  migrate:'));
  expect(billing).toContain('      INVOICE_MINIMUM_USD: ${INVOICE_MINIMUM_USD:-}\n');
});

it('the chart takes every setting of a service that it does not set itself (else: pnpm settings)', () => {
  const { schema, templates } = readChart();
  expect(schema).toBe(withChartSettings(schema, templates, composedServices));
  const { properties } = JSON.parse(schema) as { properties: { settings: { properties: Record<string, object> } } };
  expect(properties.settings.properties['billing']).toMatchObject({ properties: { PAYOUT_DELAY_DAYS: {} } });
  expect(JSON.stringify(properties.settings)).not.toContain('STRIPE_SECRET_KEY');
});

it('passes on what is missing, drops what no service reads, and leaves what the file sets itself', () => {
  const written = '      # From the shell or `.env`; written by `pnpm settings`.\n';
  const compose = (lines: string): string =>
    `x-settings:\n  common: &common\n    LOG_LEVEL: info\n\nservices:\n  auth:\n    environment:\n      <<: *common\n      DATABASE_API_URL: postgresql://auth\n${written}${lines}\n  edge:\n`;
  const settings = ['DATABASE_API_URL', 'LOG_LEVEL', 'PORT', 'TOOLS_MAX', 'CORS_ORIGINS'];
  expect(withComposeSettings(compose('      GONE: ${GONE:-}\n'), [{ name: 'auth', settings }])).toBe(
    compose('      CORS_ORIGINS: ${CORS_ORIGINS:-}\n      TOOLS_MAX: ${TOOLS_MAX:-}\n'),
  );
});
