import { AppError } from '@tollgate/kernel/app-error';

/** An address that is told what happens. */
export interface Endpoint {
  readonly endpointId: string;
  /** Null: it is the operator's, and hears of everybody. */
  readonly accountId: string | null;
  readonly url: string;
  /** Null: everything. */
  readonly types: readonly string[] | null;
  readonly description: string | null;
  /** Null: it is enabled. */
  readonly disabledFor: 'owner' | 'gone' | 'failing' | null;
  readonly failingSinceMs: number | null;
  readonly createdAtMs: number;
}

/** Names an endpoint and the account whose it must be; null for the operator. */
export interface EndpointName {
  readonly endpointId: string;
  readonly accountId: string | null;
}

export function noSuchEndpoint({ endpointId }: EndpointName): AppError {
  return new AppError('not_found', `You have no webhook endpoint \`${endpointId}\`.`);
}
