import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { isAppError } from '@tollgate/kernel/app-error';
import { sendProblem } from '@tollgate/runtime/http/send-problem';
import type { Request, Response } from 'express';

/** Every error of every controller leaves through runtime's one table. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const response = http.getResponse<Response>();
    if (isAppError(error, 'rate_limited')) response.setHeader('x-ratelimit-remaining', '0');
    sendProblem(http.getRequest<Request>(), response, error);
  }
}
