import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '@tollgate/kernel/app-error';
import { sendProblem } from '@tollgate/runtime/http/send-problem';
import express, { type NextFunction, type Request, type Response } from 'express';
import type { DeadLetterHandlers } from './dead-letters/dead-letter-handlers.ts';

export interface ReadingHandlers extends DeadLetterHandlers {
  listEvents(request: IncomingMessage, response: ServerResponse): Promise<void>;
  listRefusedEvents(request: IncomingMessage, response: ServerResponse): Promise<void>;
  getEvent(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

/** The reading routes, and the operator's. Queries, cookies and bodies are not Express's to parse: what it would guess, the contracts say. */
export function createReadingApp(
  handlers: ReadingHandlers,
): (request: IncomingMessage, response: ServerResponse) => void {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.get('/v1/events', handlers.listEvents);
  app.get('/v1/events/refused', handlers.listRefusedEvents);
  app.get('/v1/events/:event_id', handlers.getEvent);
  app.get('/v1/operator/dead-letters', handlers.listDeadLetters);
  app.get('/v1/operator/dead-letters/:dead_letter_id', handlers.getDeadLetter);
  app.post('/v1/operator/dead-letters/:dead_letter_id/replay', handlers.replayDeadLetter);
  app.use((request, response) =>
    sendProblem(request, response, new AppError('not_found', 'There is nothing at this address.')),
  );
  // oxlint-disable-next-line max-params -- Express knows an error handler by its four parameters
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) =>
    sendProblem(request, response, error),
  );
  return app;
}
