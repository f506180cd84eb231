/**
 * A browser without scripts: it keeps cookies by their path, follows redirects within the site, and sends the forms that pages
 * have. A redirect that leaves the site is handed back.
 */
export interface FormBrowser {
  open(url: string): Promise<BrowserPage>;
  /** Presses the button of a page's form with this answer. `fields` replaces what stands in the form; null takes a field out. */
  press(page: BrowserPage, answer: string, fields?: Readonly<Record<string, string | null>>): Promise<BrowserPage>;
  readonly cookies: readonly Cookie[];
}

export interface BrowserPage {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Where a redirect leaves the site. */
  readonly leavesTo: URL | undefined;
}

export interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  /** As the server set it. */
  readonly text: string;
}

/** `site` is the address that the pages name, and `baseUrl` that at which the test reaches them. */
export function createFormBrowser({ site, baseUrl }: { readonly site: string; readonly baseUrl: string }): FormBrowser {
  const cookies = new Map<string, Cookie>();

  async function send(url: URL, init: RequestInit = {}, hops = 0): Promise<BrowserPage> {
    if (hops > 10) throw new Error(`more than 10 redirects, now to ${url.href}`);
    const sent = [...cookies.values()].filter(
      ({ path }) => url.pathname === path || url.pathname.startsWith(dirOf(path)),
    );
    const headers = new Headers(init.headers);
    headers.set('cookie', sent.map(({ name, value }) => `${name}=${value}`).join('; '));
    const target = new URL(url.pathname + url.search, baseUrl);
    const answer = await fetch(target, { ...init, headers, redirect: 'manual' });
    for (const text of answer.headers.getSetCookie()) keep(text);
    const location = answer.headers.get('location');
    const next = location === null ? undefined : new URL(location, url);
    if (next?.origin === url.origin) return send(next, {}, hops + 1);
    return { url: url.href, status: answer.status, headers: answer.headers, text: await answer.text(), leavesTo: next };
  }

  function keep(text: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
    const path = /;\s*path=([^;]+)/i.exec(text)?.[1] ?? '/';
    const isGone = value === '' || /max-age=0|1970/i.test(text);
    if (isGone) cookies.delete(`${name} ${path}`);
    else cookies.set(`${name} ${path}`, { name, value, path, text });
  }

  return {
    open: (url) => send(new URL(url, site)),
    press(page, answer, fields = {}) {
      const form = { ...fieldsOf(page.text), ...fields, answer };
      const sent = Object.entries(form).filter((entry): entry is [string, string] => entry[1] !== null);
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      return send(new URL(page.url), { method: 'POST', headers, body: new URLSearchParams(sent).toString() });
    },
    get cookies() {
      return [...cookies.values()];
    },
  };
}

function dirOf(path: string): string {
  return path.endsWith('/') ? path : `${path}/`;
}

/** The fields of a page's form as they stand: what is typed, ticked and chosen. */
function fieldsOf(html: string): Record<string, string> {
  const inputs = [...html.matchAll(/<input [^>]*>/g)].map(([tag]) => tag);
  const ticked = inputs.filter((tag) => isTickable(tag) && / checked/.test(tag)).map((tag) => [nameOf(tag), 'on']);
  const typed = inputs.filter((tag) => !isTickable(tag)).map((tag) => [nameOf(tag), attributeOf(tag, 'value') ?? '']);
  const chosen = [...html.matchAll(/<select name="([^"]+)">(.*?)<\/select>/gs)].map(([, name, options]) => [
    name,
    /value="([^"]*)" selected/.exec(options ?? '')?.[1] ?? '',
  ]);
  return Object.fromEntries([...ticked, ...typed, ...chosen]) as Record<string, string>; // pairs of texts
}

function isTickable(tag: string): boolean {
  return attributeOf(tag, 'type') === 'checkbox';
}

function nameOf(tag: string): string {
  return attributeOf(tag, 'name') ?? '';
}

function attributeOf(tag: string, name: string): string | undefined {
  return new RegExp(` ${name}="([^"]*)"`)
    .exec(tag)?.[1]
    ?.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}
