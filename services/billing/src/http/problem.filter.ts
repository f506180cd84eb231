import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { sendProblem } from '@tollgate/runtime/http/send-problem';
import type { Request, Response } from 'express';

/** Every error of every controller leaves through runtime's one table. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    sendProblem(http.getRequest<Request>(), http.getResponse<Response>(), error);
  }
}
