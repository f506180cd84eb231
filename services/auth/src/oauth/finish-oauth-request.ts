import type { KoaContextWithOIDC } from 'oidc-provider';
import type { JudgeToken } from './judge-token.ts';
import type { EndConsent } from './end-consent.ts';
import type { KeepOneSuccessor } from './keep-one-successor.ts';
import { toOwnMetadata } from './to-own-metadata.ts';

export interface FinishDeps {
  readonly keepOneSuccessor: KeepOneSuccessor;
  readonly judgeToken: JudgeToken;
  readonly endConsent: EndConsent;
}

/** Does what the library leaves to us, once it has answered a request. */
export function finishOAuthRequest(deps: FinishDeps) {
  return async function finish(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
    await next();
    dropSessionCookies(ctx);
    switch (
      (ctx.oidc as KoaContextWithOIDC['oidc'] | undefined)?.route // it has none where no route fits
    ) {
      case 'discovery':
        ctx.body = toOwnMetadata(ctx.body as Record<string, unknown>); // the library's own object
        return;
      case 'token':
        return finishRefresh(ctx, deps);
      case 'revocation':
        return revokeAccessToken(ctx, deps);
      case 'introspection':
        return introspectAccessToken(ctx, deps);
      default:
    }
  };
}

/** The library's session is kept nowhere, so its cookie would name nothing. */
function dropSessionCookies(ctx: KoaContextWithOIDC): void {
  const cookies = ctx.response.get('set-cookie') as unknown as string | readonly string[]; // koa's types know no list
  const kept = [cookies].flat().filter((cookie) => cookie !== '' && !/^_session(?:\.sig)?=/.test(cookie));
  if (kept.length > 0) ctx.set('set-cookie', kept);
  else ctx.remove('set-cookie');
}

async function finishRefresh(ctx: KoaContextWithOIDC, { keepOneSuccessor }: FinishDeps): Promise<void> {
  const { grant_type: grantType, refresh_token: used } = ctx.oidc.params ?? {};
  if (ctx.status !== 200 || grantType !== 'refresh_token' || typeof used !== 'string') return;
  const body = ctx.body as { readonly refresh_token: string };
  const successor = await keepOneSuccessor(used, body.refresh_token);
  if (successor !== undefined) {
    ctx.body = { ...body, refresh_token: successor };
    return;
  }
  ctx.status = 400;
  ctx.body = { error: 'invalid_grant', error_description: 'the consent has ended' };
}

/** The library refuses JWTs here and at the introspection, after it has found the client. */
function refusedJwt(ctx: KoaContextWithOIDC): string | undefined {
  const { error } = ctx.body as { readonly error?: string };
  const token = ctx.oidc.params?.['token'];
  return error === 'unsupported_token_type' && typeof token === 'string' ? token : undefined;
}

/** RFC 7009: a token that does not count, or is another client's, is no error. */
async function revokeAccessToken(ctx: KoaContextWithOIDC, { judgeToken, endConsent }: FinishDeps): Promise<void> {
  const token = refusedJwt(ctx);
  if (token === undefined) return;
  const judged = await judgeToken(token);
  if (judged !== undefined && judged.claims.client_id === ctx.oidc.client?.clientId) await endConsent(judged.grantId);
  ctx.status = 200;
  ctx.body = '';
}

async function introspectAccessToken(ctx: KoaContextWithOIDC, { judgeToken }: FinishDeps): Promise<void> {
  const token = refusedJwt(ctx);
  if (token === undefined) return;
  const judged = await judgeToken(token);
  const isOwn = judged !== undefined && judged.claims.client_id === ctx.oidc.client?.clientId;
  ctx.status = 200;
  ctx.body = isOwn ? { active: true, token_type: 'Bearer', ...judged.claims } : { active: false };
}
