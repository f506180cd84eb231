import type { Clock } from '@tollgate/kernel/clock';
import type { Database } from '@tollgate/database/database';
import { createOwnAddress } from '@tollgate/runtime/http/requests/own-address';
import type { BeginSession } from '../accounts/begin-session.ts';
import type { SignInThrottle } from '../accounts/memory-sign-in-throttle.ts';
import type { RecordRefusals } from '../accounts/record-refusals.ts';
import type { Config } from '../config.ts';
import type { IssueToken } from '../sessions/access-token.ts';
import { createAnswerDeviceLogin } from './answer-device-login.ts';
import { createCreateDeviceLogin } from './create-device-login.ts';
import { deviceLoginController } from './device-login.controller.ts';
import { devicePageController } from './device-page.controller.ts';
import { createRedeemDeviceLogin } from './redeem-device-login.ts';
import { createHashUserCode } from './user-code.ts';

interface Deps {
  readonly worker: Database;
  /** Codes of people live by real time, also while the sandbox clock is moved. */
  readonly realTime: Pick<Clock, 'now'>;
  readonly throttle: SignInThrottle;
  readonly beginSession: BeginSession;
  readonly recordRefusals: RecordRefusals;
  readonly resetUrl: string | undefined;
  readonly issueToken: IssueToken;
  readonly refuseSuspended: (accountId: string) => void;
}

export function wireDeviceLogin(config: Config, deps: Deps) {
  const { throttle, recordRefusals, resetUrl } = deps;
  const parts = { ...deps, hashUserCode: createHashUserCode(config.AUTH_KEY_ENCRYPTION_SECRET) };
  const answer = createAnswerDeviceLogin(parts);
  const useCases = {
    createDeviceLogin: createCreateDeviceLogin(parts),
    redeemDeviceLogin: createRedeemDeviceLogin(parts),
    answerDeviceLogin: { ...answer, approve: recordRefusals.ofSignIn(answer.approve) },
  };
  const programs = { ...useCases, throttle, ownAddressOf: createOwnAddress(config.PUBLIC_URL) };
  return {
    useCases,
    controllers: [deviceLoginController(programs), devicePageController({ ...useCases, throttle, resetUrl })],
  };
}
