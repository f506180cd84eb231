import { Catch, NotFoundException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { AppError } from '@tollgate/kernel/app-error';
import type { Request, Response } from 'express';
import { sendProblem } from '../http/answers/send-problem.ts';

/** Every error of every controller leaves through the one table of error codes. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    sendProblem(http.getRequest<Request>(), http.getResponse<Response>(), fromNestError(error));
  }
}

/** Nest's own 404 stands for a path of the contracts that no controller has, such as a file that the documentation lacks. */
function fromNestError(error: unknown): unknown {
  return error instanceof NotFoundException ? new AppError('not_found', 'There is nothing at this address.') : error;
}
