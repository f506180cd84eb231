import type { Queryable } from '@tollgate/database/database';
import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import type { EmbedPrincipal } from '../http/requests/principal.ts';
import { hashApiKey, isEmbedToken } from './api-key-format.ts';
import { createLookupOnMiss } from './lookup-on-miss.ts';
import { type EmbedRow, findEmbeds } from './read-credentials.ts';
import { invalidToken } from './token-refusals.ts';

/** Rejects with what `Credentials.authenticate` does. */
export type PrincipalOfEmbed = (token: string) => Promise<EmbedPrincipal>;

interface Deps {
  readonly db: Queryable;
  readonly refuseSuspended: (accountId: string) => void;
  /** Real time: an embed lives for an hour at most, whatever the sandbox clock says. */
  readonly realTime: Pick<Clock, 'now'>;
}

/**
 * Nothing is remembered: each request reads the embed, so it ends at once with its account, and with the session or the API key
 * that made it. The pages ask a few times a minute.
 */
export function createEmbedCheck({ db, refuseSuspended, realTime }: Deps): PrincipalOfEmbed {
  const lookUp = createLookupOnMiss(async (hashes) => {
    const rows = await findEmbeds(
      db,
      hashes.map((hash) => Buffer.from(hash, 'base64')),
    );
    return new Map(rows.map((row) => [Buffer.from(row.token_hash).toString('base64'), row]));
  });
  return async function principalOfEmbed(token) {
    if (!isEmbedToken(token)) throw invalidToken('no token of an embed of ours');
    const row = await lookUp(hashApiKey(token).toString('base64'));
    if (row === undefined || row.expires_at.getTime() <= realTime.now()) throw endedEmbed();
    refuseSuspended(row.account_id);
    return toPrincipal(row);
  };
}

function toPrincipal({ account_id: accountId, embed_id: embedId, page }: EmbedRow): EmbedPrincipal {
  return { kind: 'embed', accountId, embedId, page };
}

function endedEmbed(): AppError {
  return new AppError('unauthorized', 'The embed has ended. Whoever shows it makes another with `POST /v1/embeds`.');
}
