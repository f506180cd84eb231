import { writeFileSync } from 'node:fs';
import { noticesFile, thirdPartyNotices } from './third-party-notices.ts';

/** `pnpm notices`. */
writeFileSync(noticesFile, thirdPartyNotices());
