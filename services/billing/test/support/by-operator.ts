import type { Actor } from '@tollgate/runtime/http/requests/act';

/** The actor where a test calls a verb itself. */
export const byOperator: Actor = { kind: 'operator', operatorName: 'a test' };
