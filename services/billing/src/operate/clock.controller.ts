import { actorOf } from '@tollgate/runtime/audit/actor-of';
import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import { moveClockSchema, type ClockState, type MoveClock as ApiMove } from '@tollgate/contracts/sandbox/sandbox-clock';
import { toIso } from '@tollgate/kernel/clock';
import type { Queryable } from '@tollgate/database/database';
import { sendJson } from '@tollgate/runtime/http/answers/send-json';
import type { ClockMove, SandboxClock } from '@tollgate/runtime/sandbox-clock/sandbox-clock';
import type { Request, Response } from 'express';
import { readBody } from '@tollgate/runtime/nest/read-body';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';
import type { MoveClock } from './move-clock.ts';
import { readWorkedThrough } from './sql-money-figures.ts';

export interface ClockUseCases {
  readonly clock: Pick<SandboxClock, 'now' | 'isFrozen'>;
  readonly moveClock: MoveClock;
  readonly worker: Queryable;
}

const path = 'v1/sandbox/clock';

/** Shows and moves the sandbox clock. Mounted only where there is such a clock. */
export function clockController({ clock, moveClock, worker }: ClockUseCases): NestController {
  @Controller(path)
  class ClockController {
    @Get()
    async read(@Res() response: Response): Promise<void> {
      sendJson(response, 200, await stateAt(clock.now()));
    }

    @Post()
    async move(@Req() request: Request, @Res() response: Response): Promise<void> {
      const { value } = await readBody(moveClockSchema)(request, response);
      const { nowMs, isComplete } = await moveClock(fromApiMove(value), actorOf(request));
      if (!isComplete) response.setHeader('Location', `/${path}`);
      sendJson(response, isComplete ? 200 : 202, await stateAt(nowMs));
    }
  }
  return ClockController;

  async function stateAt(nowMs: number): Promise<ClockState> {
    const throughMs = await readWorkedThrough(worker);
    const worked_through = throughMs === null ? null : toIso(throughMs);
    return { now: toIso(nowMs), frozen: clock.isFrozen(), worked_through };
  }
}

function fromApiMove({ now, advance_seconds: advanceSeconds, frozen = false }: ApiMove): ClockMove {
  if (now !== undefined) return { to: { nowMs: now }, isFrozen: frozen };
  return { to: advanceSeconds === undefined ? undefined : { advanceMs: advanceSeconds * 1_000 }, isFrozen: frozen };
}
