import type { Schemas } from '@tollgate/sdk/edge';

/** The fragment of an embed’s address. No server and no referrer sees it. */
export interface Given {
  readonly token: string;
  readonly page: Schemas['NewEmbed']['page'];
  readonly theme: NonNullable<Schemas['NewEmbed']['theme']>;
}

const pages: readonly string[] = ['usage', 'earnings', 'invoices'] satisfies Given['page'][];

/** Undefined for an address that `POST /v1/embeds` did not give. */
export function readFragment(hash: string): Given | undefined {
  const given = new URLSearchParams(hash.slice(1));
  const [token, page, theme] = [given.get('token'), given.get('page'), given.get('theme')];
  if (token === null || !isPage(page)) return undefined;
  return { token, page, theme: theme === 'light' || theme === 'dark' ? theme : 'auto' };
}

function isPage(text: string | null): text is Given['page'] {
  return text !== null && pages.includes(text);
}
