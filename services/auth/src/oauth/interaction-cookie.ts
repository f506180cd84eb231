import type { IncomingMessage, ServerResponse } from 'node:http';
import { interactionSeconds } from './create-provider.ts';

/** The cookie of a sign-in. The browser sends it to the pages of one interaction alone, and forgets it with that. */
export interface InteractionCookie {
  /** The path of the pages of an interaction. */
  pathOf(uid: string): string;
  read(request: IncomingMessage): string | undefined;
  set(response: ServerResponse, uid: string, secret: string): void;
  clear(response: ServerResponse, uid: string): void;
}

const name = 'tollgate_sign_in';
const pattern = new RegExp(`(?:^|;\\s*)${name}=([\\w-]{1,100})(?:;|$)`);

/** `folder`: the path below which each interaction has pages of its own, as browsers see it. */
export function createInteractionCookie(publicUrl: string, folder: string): InteractionCookie {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  const pathOf = (uid: string) => `${folder}/${uid}`;
  const put = (response: ServerResponse, uid: string, [value, seconds]: readonly [string, number]) =>
    response.appendHeader(
      'set-cookie',
      `${name}=${value}; Path=${pathOf(uid)}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`,
    );
  return {
    pathOf,
    read: (request) => pattern.exec(request.headers.cookie ?? '')?.[1],
    set: (response, uid, secret) => void put(response, uid, [secret, interactionSeconds]),
    clear: (response, uid) => void put(response, uid, ['', 0]),
  };
}
