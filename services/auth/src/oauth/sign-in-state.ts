import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Queryable } from '@tollgate/database/database';
import type { Clock } from '@tollgate/kernel/clock';
import { interactionSeconds } from './create-provider.ts';
import { destroyObject, findObject, putObject } from './sql-oauth-object.ts';

/** How far a person has come in one interaction. */
export type SignInState =
  | { readonly stage: 'code'; readonly email: string; readonly accountId: string; readonly passwordHash: string }
  | { readonly stage: 'done'; readonly email: string; readonly accountId: string; readonly sessionId: string };

/** The browser in which it goes on: it alone has the secret, in a cookie that this interaction alone gets. */
export interface Browser {
  readonly uid: string;
  readonly secret: string | undefined;
}

export interface SignInStates {
  /** Keeps a new state, and returns the secret for the browser. */
  begin(uid: string, state: SignInState): Promise<string>;
  /** Undefined: nobody has signed in, in this browser. */
  find(browser: Browser): Promise<SignInState | undefined>;
  end(browser: Browser): Promise<void>;
  /** Stands in each form. A page of another site cannot know it, also where cookies would go along. */
  formToken(browser: Browser): string;
  isFormToken(browser: Browser, token: string): boolean;
}

interface Deps {
  readonly worker: Queryable;
  readonly realTime: Pick<Clock, 'now'>;
  /** Its hash of a password is not what is compared with, so a reader of the table gains nothing. */
  readonly secret: string;
}

export function createSignInStates({ worker, realTime, secret: key }: Deps): SignInStates {
  const nameOf = ({ uid, secret = '' }: Browser) => ({ model: 'SignIn', id: `${uid}:${secret}` });
  const formToken = ({ uid, secret = '' }: Browser): string =>
    createHmac('sha256', key).update(`tollgate/auth form ${uid} ${secret}`).digest('base64url');
  return {
    async begin(uid, state) {
      const secret = randomBytes(32).toString('base64url');
      const expiresAt = realTime.now() + interactionSeconds * 1_000;
      await putObject(worker, { ...nameOf({ uid, secret }), payload: { ...state }, grantId: undefined, expiresAt });
      return secret;
    },
    async find(browser) {
      if (browser.secret === undefined) return undefined;
      const found = await findObject(worker, nameOf(browser), realTime.now());
      return found?.payload as SignInState | undefined; // as `begin` wrote it
    },
    end: (browser) => destroyObject(worker, nameOf(browser)),
    formToken,
    isFormToken(browser, token) {
      const [expected, given] = [Buffer.from(formToken(browser)), Buffer.from(token)];
      return expected.length === given.length && timingSafeEqual(expected, given);
    },
  };
}
