import { actorOf } from '@tollgate/runtime/audit/actor-of';
import { Controller, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { moveClockSchema, type ClockState, type MoveClock as ApiMove } from '@tollgate/contracts/sandbox-clock';
import { toIso } from '@tollgate/kernel/clock';
import { sendJson } from '@tollgate/runtime/http/send-json';
import type { ClockMove, SandboxClock } from '@tollgate/runtime/sandbox-clock/sandbox-clock';
import type { Request, Response } from 'express';
import { readBody } from '@tollgate/runtime/nest/read-body';
import type { MoveClock } from './move-clock.ts';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';

export interface ClockUseCases {
  readonly clock: Pick<SandboxClock, 'now' | 'isFrozen'>;
  readonly moveClock: MoveClock;
}

/** Shows and moves the sandbox clock. Mounted only where there is such a clock. */
export function clockController({ clock, moveClock }: ClockUseCases): NestController {
  @Controller('v1/sandbox/clock')
  class ClockController {
    @Get()
    read(@Res() response: Response): void {
      sendJson(response, 200, stateOf(clock));
    }

    @Post()
    @HttpCode(200)
    async move(@Req() request: Request, @Res() response: Response): Promise<void> {
      const { value } = await readBody(moveClockSchema)(request, response);
      await moveClock(fromApiMove(value), actorOf(request));
      sendJson(response, 200, stateOf(clock));
    }
  }
  return ClockController;
}

function stateOf(clock: ClockUseCases['clock']): ClockState {
  return { now: toIso(clock.now()), frozen: clock.isFrozen() };
}

function fromApiMove({ now, advance_seconds: advanceSeconds, frozen = false }: ApiMove): ClockMove {
  if (now !== undefined) return { to: { nowMs: now }, isFrozen: frozen };
  return { to: advanceSeconds === undefined ? undefined : { advanceMs: advanceSeconds * 1_000 }, isFrozen: frozen };
}
