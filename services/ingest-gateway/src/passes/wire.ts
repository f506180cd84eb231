import type { Database } from '@tollgate/database/database';
import type { Notifications } from '@tollgate/database/notifications';
import type { Clock } from '@tollgate/kernel/clock';
import type { Credentials } from '@tollgate/runtime/auth/credentials';
import type { FindPass } from '@tollgate/runtime/auth/key-check';
import { createSpendingTokenCheck } from '@tollgate/runtime/auth/spending-token-check';
import { createIdempotency } from '@tollgate/runtime/http/idempotency/idempotency';
import { createForgetReplies } from '@tollgate/runtime/jobs/forget-replies';
import { createReplyOnce } from '@tollgate/runtime/nest/reply-once';
import type { ClockCheck } from '@tollgate/runtime/timing/clock-check';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { ToolDirectory } from '../tools/tool-directory.ts';
import { createChangePasses } from './change-passes.ts';
import { createChildPassHandlers } from './child-pass-handlers.ts';
import { createCreateChild } from './create-child.ts';
import { createNamePass } from './named-pass.ts';
import { createPassDirectory } from './pass-directory.ts';
import { createPassHandlers } from './pass-handlers.ts';
import { createPassOf } from './pass-of.ts';
import type { Pass } from './pass.ts';

export interface PassesDeps {
  readonly api: Database;
  readonly worker: Database;
  readonly notifications: Pick<Notifications, 'on'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly clockCheck: Pick<ClockCheck, 'requireRight'>;
  readonly passesMax: number;
}

/** Passes in two steps: credentials need the directory, and the handlers need the tools, which come later. */
export function wirePasses(deps: PassesDeps) {
  const { api, worker, notifications, clock, log, clockCheck, passesMax } = deps;
  const directory = createPassDirectory({ database: worker, notifications, clock, log });
  const passOf = createPassOf(directory);
  const findPass: FindPass = (keyHash) => {
    const found = directory.find(keyHash);
    return found instanceof Promise ? found.then(toPrincipal) : toPrincipal(found);
  };
  const idempotency = createIdempotency({ schema: 'gate', clock });
  const replyOnce = createReplyOnce({ database: api, idempotency, committed: directory.refresh });
  const handlers = (tools: ToolDirectory) => {
    const changePasses = createChangePasses({ api, tools, directory, clock, passesMax });
    const createChild = createCreateChild({ tools, clock, passesMax });
    return {
      ...createPassHandlers({ api, changePasses, passOf, replyOnce, clock }),
      ...createChildPassHandlers({ api, createChild, passOf, replyOnce, clock }),
    };
  };
  const namePassBy = ({ oauthKey }: Pick<Credentials, 'oauthKey'>, issuer: string | undefined) =>
    createNamePass({ passes: directory, tokens: createSpendingTokenCheck({ oauthKey, issuer, clock }) });
  const forgetReplies = createForgetReplies({ worker, idempotency, clockCheck, log });
  return { directory, findPass, passOf, namePassBy, handlers, forgetReplies };
}

function toPrincipal(pass: Pass | undefined) {
  return pass && ({ kind: 'pass', accountId: pass.accountId, passId: pass.passId } as const);
}
