import { createLogger } from '@tollgate/runtime/logging/create-logger';

export const silentLog = createLogger({ name: 'billing-test', level: 'silent' });
