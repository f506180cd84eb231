import { Controller, Get, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import { moveClockSchema, type ClockState, type MoveClock } from '@tollgate/contracts/sandbox-clock';
import { toIso } from '@tollgate/kernel/clock';
import { sendJson } from '@tollgate/runtime/http/send-json';
import type { ClockMove } from '@tollgate/runtime/sandbox-clock/sandbox-clock';
import type { Request, Response } from 'express';
import { readBody } from '@tollgate/runtime/nest/read-body';
import { token, type UseCases } from '../edge/use-cases.ts';

/** Mounted only where there is such a clock. */
@Controller('v1/sandbox/clock')
export class ClockController {
  constructor(@Inject(token('sandboxClock')) private readonly sandbox: NonNullable<UseCases['sandboxClock']>) {}

  @Get()
  read(@Res() response: Response): void {
    sendJson(response, 200, this.state());
  }

  @Post()
  @HttpCode(200)
  async move(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { value } = await readBody(moveClockSchema)(request, response);
    await this.sandbox.moveClock(fromApiMove(value));
    sendJson(response, 200, this.state());
  }

  private state(): ClockState {
    const { clock } = this.sandbox;
    return { now: toIso(clock.now()), frozen: clock.isFrozen() };
  }
}

function fromApiMove({ now, advance_seconds: advanceSeconds, frozen = false }: MoveClock): ClockMove {
  if (now !== undefined) return { to: { nowMs: now }, isFrozen: frozen };
  return { to: advanceSeconds === undefined ? undefined : { advanceMs: advanceSeconds * 1_000 }, isFrozen: frozen };
}
