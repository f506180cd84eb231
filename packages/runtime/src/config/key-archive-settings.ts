import { z } from 'zod';

/** Settings of every service that recognises old idempotency keys. */
export const keyArchiveSettings = {
  KEY_ARCHIVE_DIR: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Folder with the files of `tollgate operator keys archive`. Gateways and aggregators need the same files; without them none starts.',
    ),
};
