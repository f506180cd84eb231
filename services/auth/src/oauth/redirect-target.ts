const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

/** `hostname` is a host as URL has it: IPv6 in brackets. */
export function isLoopbackHost(hostname: string): boolean {
  return loopbackHosts.has(hostname);
}

/** Where the browser goes after the consent, for the page. `own_scheme`: to a program that has registered it. */
export type RedirectTarget =
  | { readonly kind: 'site'; readonly host: string }
  | { readonly kind: 'loopback'; readonly host: string }
  | { readonly kind: 'own_scheme'; readonly scheme: string };

export function redirectTargetOf(redirectUri: string): RedirectTarget {
  const { protocol, hostname, host } = new URL(redirectUri);
  if (protocol !== 'https:' && protocol !== 'http:') return { kind: 'own_scheme', scheme: protocol };
  return { kind: isLoopbackHost(hostname) ? 'loopback' : 'site', host };
}
