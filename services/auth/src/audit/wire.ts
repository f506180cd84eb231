import type { Database } from '@tollgate/database/database';
import { auditController } from './audit.controller.ts';

/** Wires the lists of the audit trail. Every module writes its own acts. */
export function wireAudit(deps: { readonly api: Database; readonly worker: Database }) {
  return { controllers: [auditController(deps)] };
}
