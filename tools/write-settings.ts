import { readFileSync, writeFileSync } from 'node:fs';

import { withSettings } from './settings-section.ts';

const readme = new URL('../README.md', import.meta.url);
writeFileSync(readme, withSettings(readFileSync(readme, 'utf8')));
