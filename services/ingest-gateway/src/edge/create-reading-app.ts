import { AppError } from '@tollgate/kernel/app-error';
import { sendProblem } from '@tollgate/runtime/http/answers/send-problem';
import express, { type NextFunction, type Request, type Response } from 'express';
import type { Handler } from './create-gateway-http.ts';

export interface AppHandlers {
  readonly listEvents: Handler;
  readonly listRefusedEvents: Handler;
  readonly getEvent: Handler;
  readonly listDeadLetters: Handler;
  readonly getDeadLetter: Handler;
  readonly replayDeadLetter: Handler;
  readonly createPass: Handler;
  readonly listPasses: Handler;
  readonly getOwnPass: Handler;
  readonly createChildPass: Handler;
  readonly listChildPasses: Handler;
  readonly checkPass: Handler;
  readonly getPass: Handler;
  readonly updatePass: Handler;
  readonly rotatePass: Handler;
  readonly deletePass: Handler;
  readonly listAuthorizations: Handler;
  readonly getAuthorization: Handler;
  readonly increaseAuthorization: Handler;
  readonly extendAuthorization: Handler;
  readonly releaseAuthorization: Handler;
  readonly getBudget: Handler;
  readonly putBudget: Handler;
  readonly deleteBudget: Handler;
  readonly listSpendingAlerts: Handler;
  readonly listAllSpendingAlerts: Handler;
}

/**
 * The Express app: the reading routes and the operator's routes. Express parses no query, cookie or body here, since it
 * would guess where the contracts state rules.
 */
export function createReadingApp(handlers: AppHandlers): Handler {
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
  app.post('/v1/passes', handlers.createPass);
  app.get('/v1/passes', handlers.listPasses);
  app.get('/v1/passes/self', handlers.getOwnPass);
  app.post('/v1/passes/self/children', handlers.createChildPass);
  app.get('/v1/passes/self/children', handlers.listChildPasses);
  app.post('/v1/passes/check', handlers.checkPass);
  app.get('/v1/passes/:id', handlers.getPass);
  app.patch('/v1/passes/:id', handlers.updatePass);
  app.delete('/v1/passes/:id', handlers.deletePass);
  app.post('/v1/passes/:id/rotate', handlers.rotatePass);
  app.get('/v1/authorizations', handlers.listAuthorizations);
  app.get('/v1/authorizations/:authorization_id', handlers.getAuthorization);
  app.delete('/v1/authorizations/:authorization_id', handlers.releaseAuthorization);
  app.post('/v1/authorizations/:authorization_id/increase', handlers.increaseAuthorization);
  app.post('/v1/authorizations/:authorization_id/extend', handlers.extendAuthorization);
  app.get('/v1/billing/budget', handlers.getBudget);
  app.put('/v1/billing/budget', handlers.putBudget);
  app.delete('/v1/billing/budget', handlers.deleteBudget);
  app.get('/v1/billing/alerts', handlers.listSpendingAlerts);
  app.get('/v1/operator/alerts', handlers.listAllSpendingAlerts);
  app.use((request, response) =>
    sendProblem(request, response, new AppError('not_found', 'There is nothing at this address.')),
  );
  // oxlint-disable-next-line max-params -- Express recognises an error handler by its four parameters
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) =>
    sendProblem(request, response, error),
  );
  return app;
}
