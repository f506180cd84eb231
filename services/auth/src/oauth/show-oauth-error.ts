import { escapeHtml, renderPage } from '@tollgate/runtime/pages/render-page';
import { policyOf } from '@tollgate/runtime/pages/send-page';
import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider';

/** For a request that cannot be answered at the client: its address is wrong, or nobody knows the client. */
export async function showOAuthError(ctx: KoaContextWithOIDC, out: ErrorOut): Promise<void> {
  const { error, error_description: description } = out;
  const reason = description === undefined ? error : `${error}: ${description}`;
  ctx.set('content-security-policy', policyOf(undefined));
  ctx.type = 'html';
  ctx.body = renderPage({
    title: 'This request does not work · Tollgate',
    header: '<span>Tollgate</span>',
    content: `<h1>This request does not work</h1>
      <p>The program that sent you here asked for something that is not possible. Go back to it, and let it connect again.</p>
      <dl><dt>Reason</dt><dd>${escapeHtml(reason)}</dd></dl>`,
  });
}
