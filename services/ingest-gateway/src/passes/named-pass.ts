import { isAppError } from '@tollgate/kernel/app-error';
import { hashApiKey, isPassKey } from '@tollgate/runtime/auth/api-key-format';
import type { SpendingToken, SpendingTokenCheck } from '@tollgate/runtime/auth/spending-token-check';
import type { PassDirectory } from './pass-directory.ts';
import type { Pass } from './pass.ts';

/** A pass that somebody names by its key, or by an access token of OAuth, which is a pass at the server of one resource. */
export interface NamedPass {
  /** Undefined: it is named by its key. */
  readonly token: SpendingToken | undefined;
  /** As memory has it. */
  readonly known: Pass | undefined;
  /** As PostgreSQL has it now. Rejects with `unavailable`. */
  lookUp(): Promise<Pass | undefined>;
}

export interface NamePassDeps {
  readonly passes: Pick<PassDirectory, 'known' | 'lookUp' | 'byId' | 'lookUpById'>;
  readonly tokens: SpendingTokenCheck;
}

/** Undefined: the text is neither the key of a pass nor a token that is good. Whether the pass is, its user finds out. */
export type NamePass = (text: string) => Promise<NamedPass | undefined>;

export function createNamePass({ passes, tokens }: NamePassDeps): NamePass {
  return async function namePass(text) {
    if (isToken(text)) return byToken(text);
    if (!isPassKey(text)) return undefined;
    const keyHash = hashApiKey(text).toString('base64');
    return { token: undefined, known: passes.known(keyHash), lookUp: () => passes.lookUp(keyHash) };
  };

  async function byToken(text: string): Promise<NamedPass | undefined> {
    const token = await readToken(text);
    if (token === undefined) return undefined;
    const ofItsAccount = (pass: Pass | undefined) => (pass?.accountId === token.accountId ? pass : undefined);
    const lookUp = async () => ofItsAccount(await passes.lookUpById(token.passId));
    return { token, known: ofItsAccount(passes.byId(token.passId)), lookUp };
  }

  async function readToken(text: string): Promise<SpendingToken | undefined> {
    try {
      return await tokens.spendingToken(text);
    } catch (error) {
      if (isAppError(error, 'unauthenticated')) return undefined;
      throw error;
    }
  }
}

/** Keys have no dot, and JWTs have two. */
function isToken(text: string): boolean {
  return text.includes('.');
}
