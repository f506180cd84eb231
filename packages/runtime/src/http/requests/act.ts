import type { AuditAction, AuditActor } from '@tollgate/contracts/operator/audit';

/** The actor, and where it acts from: the caller of a request, or the operator's command line. */
export interface Actor {
  readonly kind: AuditActor;
  readonly accountId?: string | undefined;
  /** The session, the API key or the pass. */
  readonly credentialId?: string | undefined;
  readonly operatorName?: string | undefined;
  readonly address?: string | undefined;
  readonly requestId?: string | undefined;
  /** Gets each act that was written. */
  readonly acts?: NotedAct[] | undefined;
}

/**
 * An act for the audit trail. It holds ids, numbers and codes; never a secret, and no text that a caller chose freely.
 */
export interface Act {
  readonly action: AuditAction;
  readonly result?: 'done' | 'refused' | undefined;
  /** The account that it concerns; left out for an act on the platform, or when nobody knows. */
  readonly accountId?: string | undefined;
  readonly object: { readonly kind: string; readonly id?: string | undefined };
  readonly detail?: Readonly<Record<string, string | number | boolean>> | undefined;
}

export interface NotedAct {
  readonly by: Actor;
  readonly act: Act;
}
