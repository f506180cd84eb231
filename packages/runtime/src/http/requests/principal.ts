import type { EmbedPage } from '@tollgate/contracts/routes/embed-pages';
import type { KeyScope } from '@tollgate/contracts/routes/route';

/** The caller, by its credential alone: no header, field or parameter can change it. */
export type Principal = SessionPrincipal | ApiKeyPrincipal | PassPrincipal | EmbedPrincipal | OperatorPrincipal;

export interface SessionPrincipal {
  readonly kind: 'session';
  readonly accountId: string;
  readonly sessionId: string;
  /** The account is the operator's, and this is its browser: what the browser has shown of the second factor. */
  readonly operator?: { readonly factor: 'none' | 'stale' | 'fresh' } | undefined;
}

export interface ApiKeyPrincipal {
  readonly kind: 'api_key';
  readonly accountId: string;
  readonly keyId: string;
  /** The scopes that it opens; undefined for all. */
  readonly can?: readonly KeyScope[] | undefined;
  /** Epoch milliseconds; undefined for never. */
  readonly expiresAt?: number | undefined;
}

/** A pass: it acts for the account that handed it out, on the few routes that admit passes. */
export interface PassPrincipal {
  readonly kind: 'pass';
  readonly accountId: string;
  readonly passId: string;
}

/** A page of the console in a frame: it reads what this page shows, and nothing else. */
export interface EmbedPrincipal {
  readonly kind: 'embed';
  readonly accountId: string;
  readonly embedId: string;
  readonly page: EmbedPage;
}

export interface OperatorPrincipal {
  readonly kind: 'operator';
  /** The name of the operator token, or of the account. `default` is the token of the settings, until it is rotated. */
  readonly name: string;
  /** The account and its session, where the operator is a person and no token. */
  readonly person?: { readonly accountId: string; readonly sessionId: string } | undefined;
}
