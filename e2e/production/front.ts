import type { Authority } from './open-authority.ts';
import type { AskByTls } from './ask-by-tls.ts';

/** Where a proxy of the page is started. */
export interface Front {
  readonly folder: string;
  readonly httpPort: number;
  readonly tlsPort: number;
  /** For what a proxy needs besides. */
  readonly otherPort: number;
  readonly authority: Authority;
  /** Tollgate's host and port. */
  readonly tollgate: string;
  readonly ask: AskByTls;
}
