import type { EmbedPage } from '@tollgate/contracts/routes/embed-pages';
import type { Database } from '@tollgate/database/database';
import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import { uuidV7 } from '@tollgate/kernel/uuid';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import { createEmbedToken, hashApiKey } from '@tollgate/runtime/auth/api-key-format';
import type { Actor } from '@tollgate/runtime/http/requests/act';
import { lockAccount } from '../accounts/sql-account.ts';
import { countLiveEmbeds, type Embed, type EmbedMaker, insertEmbed } from './sql-embed.ts';

/** The live embeds of an account. Each lasts for an hour at most. */
const embedsMax = 1_000;

interface Deps {
  /** Connects as auth_api, under the row-level policies of the account. */
  readonly api: Database;
  readonly realTime: Pick<Clock, 'now'>;
}

export interface EmbedWish {
  readonly accountId: string;
  readonly maker: EmbedMaker;
  readonly page: EmbedPage;
  readonly lifeMs: number;
}

/** Nobody sees the token again: only its hash is stored. Throws `too_many_embeds`. */
export type CreateEmbed = (wish: EmbedWish, by: Actor) => Promise<{ readonly embed: Embed; readonly token: string }>;

export function createCreateEmbed({ api, realTime }: Deps): CreateEmbed {
  return async function createEmbed({ accountId, maker, page, lifeMs }, by) {
    const createdAt = realTime.now();
    const token = createEmbedToken();
    const embed = { embedId: uuidV7(createdAt), accountId, page, createdAt, expiresAt: createdAt + lifeMs };
    await api.transaction(
      async (tx) => {
        await lockAccount(tx, accountId); // racing callers count one after the other
        if ((await countLiveEmbeds(tx, accountId, createdAt)) >= embedsMax)
          throw new AppError(
            'too_many_embeds',
            `An account has at most ${embedsMax} live embeds. They end by themselves.`,
          );
        await insertEmbed(tx, embed, { maker, tokenHash: hashApiKey(token) });
        const object = { kind: 'embed', id: embed.embedId };
        await recordAct(tx, by, { action: 'embed.created', accountId, object, detail: { page } });
      },
      { accountId },
    );
    return { embed, token };
  };
}
