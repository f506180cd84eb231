import type { IncomingMessage } from 'node:http';
import type { Queryable } from '@tollgate/database/database';
import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import { minuteMs } from '@tollgate/kernel/durations';
import { LRUCache } from 'lru-cache';
import type { SessionPrincipal } from '../http/requests/principal.ts';
import { noteCookie, routeOf } from '../http/requests/request-context.ts';
import { hashApiKey, isSessionSecret } from './api-key-format.ts';
import type { CredentialDirectory } from './credential-directory.ts';
import type { Use } from './key-use.ts';
import { createLookupOnMiss } from './lookup-on-miss.ts';
import { factorFreshMs } from './operator-in-person.ts';
import { findSessionCookies, type SessionCookieRow } from './read-credentials.ts';
import type { SessionCookie } from './session-cookie.ts';
import { sessionAgeMaxMs, sessionLifeMs } from '@tollgate/kernel/session-life';
import { invalidToken, suspendedAccount } from './token-refusals.ts';

export interface CookieCheck {
  /**
   * The session whose cookie the request has, at once when memory knows it; undefined without a cookie. Throws, or rejects with,
   * what `Credentials.authenticate` does, and `forbidden` for a change that no page of ours sends.
   */
  sessionOfCookie(request: IncomingMessage): SessionPrincipal | Promise<SessionPrincipal> | undefined;
}

interface Deps {
  readonly db: Queryable;
  readonly directory: Pick<CredentialDirectory, 'isEnded' | 'isSuspended'>;
  readonly cookie: Pick<SessionCookie, 'read' | 'requireOwnPage'>;
  readonly sessionUse: Pick<Use, 'note'>;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** Real time: whoever moves the sandbox clock by a month must not be signed out by that. */
  readonly realTime: Pick<Clock, 'now'>;
}

interface KnownCookie {
  readonly principal: SessionPrincipal;
  /** Epoch milliseconds, by real time. */
  readonly endsAt: number;
  readonly readAtMs: number;
}

/** Some 300 bytes each. */
const cookiesKeptMax = 20_000;
/** A look-up shows what other processes have seen of the session. That it has ended, the directory tells within a second. */
const readAgainMs = minuteMs;

export function createCookieCheck({ db, directory, cookie, sessionUse, clock, realTime }: Deps): CookieCheck {
  const known = new LRUCache<string, KnownCookie>({ max: cookiesKeptMax });
  const lookUp = createLookupOnMiss(async (hashes) => {
    const rows = await findSessionCookies(
      db,
      hashes.map((hash) => Buffer.from(hash, 'base64')),
    );
    return new Map(rows.map((row) => toEntry(row, { readAtMs: clock.monotonicMs(), now: realTime.now() })));
  });

  function admit({ principal, endsAt }: KnownCookie): SessionPrincipal {
    if (endsAt <= realTime.now()) throw endedSession();
    if (directory.isEnded(principal.sessionId)) throw endedSession();
    if (directory.isSuspended(principal.accountId)) throw suspendedAccount();
    sessionUse.note(principal.sessionId);
    return principal;
  }

  async function readAnew(hash: string, before: KnownCookie | undefined): Promise<SessionPrincipal> {
    const found = await lookUp(hash).catch((error: unknown) => {
      if (before && error instanceof AppError && error.kind === 'unavailable') return before;
      throw error;
    });
    if (found === undefined) throw endedSession();
    known.set(hash, found);
    return admit(found);
  }

  return {
    sessionOfCookie(request) {
      const secret = cookie.read(request);
      if (secret === undefined) return undefined;
      if (request.method !== 'GET' && request.method !== 'HEAD') cookie.requireOwnPage(request);
      if (!isSessionSecret(secret)) throw invalidToken('not a cookie of ours');
      noteCookie(request, secret);
      const hash = hashApiKey(secret).toString('base64');
      // Nothing is remembered at the operator's routes: a right that was taken, or a code that was shown, counts at once.
      const before = routeOf(request).access === 'operator' ? undefined : known.get(hash);
      const isFresh = before && clock.monotonicMs() - before.readAtMs < readAgainMs && realTime.now() < before.endsAt;
      return isFresh ? admit(before) : readAnew(hash, before);
    },
  };
}

function toEntry(
  row: SessionCookieRow,
  { readAtMs, now }: { readonly readAtMs: number; readonly now: number },
): [string, KnownCookie] {
  const { session_id: sessionId, account_id: accountId, created_at: createdAt, used_at: usedAt } = row;
  const endsAt = Math.min(usedAt.getTime() + sessionLifeMs, createdAt.getTime() + sessionAgeMaxMs);
  const operator = row.is_operator ? { factor: factorOf(row, now) } : undefined;
  const principal = { kind: 'session', accountId, sessionId, operator } as const;
  return [Buffer.from(row.cookie_hash).toString('base64'), { principal, endsAt, readAtMs }];
}

function factorOf({ second_factor_at: shownAt }: SessionCookieRow, now: number): 'none' | 'stale' | 'fresh' {
  if (shownAt === null) return 'none';
  return now - shownAt.getTime() < factorFreshMs ? 'fresh' : 'stale';
}

function endedSession(): AppError {
  return new AppError('unauthorized', 'The session has ended. Sign in again.');
}
