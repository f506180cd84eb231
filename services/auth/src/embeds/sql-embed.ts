import type { EmbedPage } from '@tollgate/contracts/routes/embed-pages';
import { onlyRow, type Transaction } from '@tollgate/database/database';

/** Times are epoch milliseconds, by the clock of the machine. */
export interface Embed {
  readonly embedId: string;
  readonly accountId: string;
  readonly page: EmbedPage;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** The session or the API key that makes an embed, and with which it ends. */
export type EmbedMaker = { readonly sessionId: string } | { readonly keyId: string };

const count = {
  name: 'auth.count_live_embeds',
  text: 'select count(*)::int as live from auth.embed where account_id = $1 and expires_at > $2',
};

/** Uses the index on (account_id, expires_at). */
export async function countLiveEmbeds(tx: Transaction, accountId: string, nowMs: number): Promise<number> {
  return onlyRow(await tx.query<{ live: number }>(count, [accountId, new Date(nowMs)])).live;
}

const insert = {
  name: 'auth.insert_embed',
  text: `insert into auth.embed (embed_id, account_id, page, token_hash, session_id, key_id, created_at, expires_at)
values ($1, $2, $3, $4, $5, $6, $7, $8)`,
};

export async function insertEmbed(
  tx: Transaction,
  { embedId, accountId, page, createdAt, expiresAt }: Embed,
  { maker, tokenHash }: { readonly maker: EmbedMaker; readonly tokenHash: Uint8Array },
): Promise<void> {
  const [sessionId, keyId] = 'keyId' in maker ? [null, maker.keyId] : [maker.sessionId, null];
  const times = [new Date(createdAt), new Date(expiresAt)];
  await tx.query(insert, [embedId, accountId, page, tokenHash, sessionId, keyId, ...times]);
}
