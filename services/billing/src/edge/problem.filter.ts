import { Catch, NotFoundException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { AppError } from '@tollgate/kernel/app-error';
import { sendProblem } from '@tollgate/runtime/http/send-problem';
import type { Request, Response } from 'express';

/** Every error of every controller leaves through runtime's one table. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    sendProblem(http.getRequest<Request>(), http.getResponse<Response>(), fromNestError(error));
  }
}

/** Nest's own 404: a path of the contracts that no controller has, such as a file that the documentation lacks. */
function fromNestError(error: unknown): unknown {
  if (!(error instanceof NotFoundException)) return error;
  return new AppError('not_found', 'There is nothing at this address.');
}
