import { z } from 'zod';

/** Settings of every service that calls addresses which accounts name. */
export const outgoingSettings = {
  OUTGOING_ALLOW: z
    .enum(['loopback'])
    .optional()
    .describe(
      '`loopback`: addresses that accounts name may lead to this machine, by http too. For a sandbox on a machine of one’s own; refused with `PROCESSOR=stripe`. Otherwise only https addresses of the public Internet are called.',
    ),
};
