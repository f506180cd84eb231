import { readFileSync, writeFileSync } from 'node:fs';

import { withChartSettings } from './chart-settings.ts';
import { readChart, chartSchemaFile } from './read-chart.ts';
import { withComposeSettings } from './compose-settings.ts';
import { composedServices, settingsPage } from './settings-page.ts';

const composeFile = new URL('../docker-compose.yml', import.meta.url);

writeFileSync(new URL('../docs/settings.md', import.meta.url), settingsPage());
writeFileSync(composeFile, withComposeSettings(readFileSync(composeFile, 'utf8'), composedServices));

const { schema, templates } = readChart();
writeFileSync(chartSchemaFile, withChartSettings(schema, templates, composedServices));
