import { writeFileSync } from 'node:fs';

import { createEdgeConfig } from './edge-config.ts';

writeFileSync(new URL('../deploy/edge/nginx.conf', import.meta.url), createEdgeConfig());
writeFileSync(new URL('../deploy/edge/nginx-tls.conf', import.meta.url), createEdgeConfig('https'));
