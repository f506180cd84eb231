import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import {
  beginTotpSchema,
  confirmTotpSchema,
  secondFactorProofSchema,
  type SecondFactorProof,
  type TotpState,
} from '@tollgate/contracts/accounts/second-factor';
import { toIso } from '@tollgate/kernel/clock';
import { actorOf } from '@tollgate/runtime/audit/actor-of';
import { clientAddressOf } from '@tollgate/runtime/http/requests/request-context';
import { sendEmpty, sendJson } from '@tollgate/runtime/http/answers/send-json';
import { readBody } from '@tollgate/runtime/nest/read-body';
import type { Request, Response } from 'express';
import { bodyLimits } from '../accounts/body-limits.ts';
import type { SignInThrottle } from '../accounts/memory-sign-in-throttle.ts';
import { sessionOf } from '../sessions/session-of.ts';
import type { BeginTotp } from './begin-totp.ts';
import type { ConfirmTotp } from './confirm-totp.ts';
import type { ReadTotpState, TotpFacts } from './read-totp-state.ts';
import type { RemoveOwnTotp } from './remove-own-totp.ts';
import type { ReplaceRecoveryCodes } from './replace-recovery-codes.ts';

interface UseCases {
  readonly throttle: SignInThrottle;
  readonly readTotpState: ReadTotpState;
  readonly beginTotp: BeginTotp;
  readonly confirmTotp: ConfirmTotp;
  readonly removeOwnTotp: RemoveOwnTotp;
  readonly replaceRecoveryCodes: ReplaceRecoveryCodes;
}

const readBegin = readBody(beginTotpSchema, bodyLimits);
const readConfirm = readBody(confirmTotpSchema, bodyLimits);
const readProof = readBody(secondFactorProofSchema, bodyLimits);

export function secondFactorController(useCases: UseCases) {
  const { throttle, readTotpState, beginTotp, confirmTotp, removeOwnTotp, replaceRecoveryCodes } = useCases;
  /** A password or a code is tried: counts as a password that is tried. */
  async function admit(request: Request): Promise<ReturnType<typeof sessionOf>> {
    const session = sessionOf(request);
    await throttle.admitPasswordTry({ account: session.accountId, address: clientAddressOf(request) });
    return session;
  }

  @Controller('v1/auth')
  class SecondFactorController {
    @Get('totp')
    async state(@Req() request: Request, @Res() response: Response): Promise<void> {
      sendJson(response, 200, toApiTotpState(await readTotpState(sessionOf(request).accountId)));
    }

    @Post('totp')
    async begin(@Req() request: Request, @Res() response: Response): Promise<void> {
      const session = await admit(request);
      const { value } = await readBegin(request, response);
      const { secret, uri } = await beginTotp({ ...session, ...value });
      sendJson(response, 201, { secret, otpauth_uri: uri });
    }

    @Post('totp/confirm')
    async confirm(@Req() request: Request, @Res() response: Response): Promise<void> {
      const session = await admit(request);
      const { value } = await readConfirm(request, response);
      sendJson(response, 200, { recovery_codes: await confirmTotp({ ...session, ...value }, actorOf(request)) });
    }

    @Post('totp/remove')
    async remove(@Req() request: Request, @Res() response: Response): Promise<void> {
      const session = await admit(request);
      const { value } = await readProof(request, response);
      await removeOwnTotp({ ...session, ...fromApiProof(value) }, actorOf(request));
      sendEmpty(response);
    }

    @Post('recovery-codes')
    async replaceCodes(@Req() request: Request, @Res() response: Response): Promise<void> {
      const session = await admit(request);
      const { value } = await readProof(request, response);
      const codes = await replaceRecoveryCodes({ ...session, ...fromApiProof(value) }, actorOf(request));
      sendJson(response, 200, { recovery_codes: codes });
    }
  }
  return SecondFactorController;
}

function fromApiProof({ password, totp_code: totpCode, recovery_code: recoveryCode }: SecondFactorProof) {
  return { password, totpCode, recoveryCode };
}

function toApiTotpState({ confirmedAt, recoveryCodesLeft }: TotpFacts): TotpState {
  return {
    enabled: confirmedAt !== undefined,
    confirmed_at: confirmedAt === undefined ? null : toIso(confirmedAt),
    recovery_codes_left: recoveryCodesLeft,
  };
}
