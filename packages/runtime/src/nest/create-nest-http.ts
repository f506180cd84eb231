import 'reflect-metadata';
import {
  Module,
  type CanActivate,
  type INestApplication,
  type Type,
  Catch,
  NotFoundException,
  type ArgumentsHost,
  type ExceptionFilter,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Service } from '@tollgate/kernel/service';
import express, { type Request, type Response } from 'express';
import type { Handle } from '../http/serving/create-http-server.ts';
import { AppError } from '@tollgate/kernel/app-error';
import { sendProblem } from '../http/answers/send-problem.ts';

export interface NestHttp extends Service {
  readonly handle: Handle;
}

/** A class with Nest's decorators, made by a function that closes over the use cases. */
export type NestController = Type;

export interface NestHttpOptions {
  readonly name: string;
  readonly controllers: readonly NestController[];
  /** In front of every handler. */
  readonly guard: CanActivate;
}

@Module({})
class EdgeModule {}

/** Nest's part of a service: routes, one guard and one filter. It listens to nothing and owns nothing. */
export function createNestHttp({ name, controllers, guard }: NestHttpOptions): NestHttp {
  // The contracts parse queries, and an answer has no validator of Express's own.
  const server = express().disable('x-powered-by').disable('etag').set('query parser', false);
  let app: INestApplication | undefined;
  return {
    name,
    async start() {
      const module = { module: EdgeModule, controllers: [...controllers] };
      const options = { bodyParser: false, logger: false, abortOnError: false } as const;
      app = await NestFactory.create(module, new ExpressAdapter(server), options);
      app.useGlobalGuards(guard);
      app.useGlobalFilters(new ProblemFilter());
      await app.init();
    },
    async stop() {
      await app?.close();
      app = undefined;
    },
    handle: (request, response) => void server(request, response),
  };
}

/** Every error of every controller leaves through the one table of error codes. */
@Catch()
class ProblemFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    sendProblem(http.getRequest<Request>(), http.getResponse<Response>(), fromNestError(error));
  }
}

/** Nest's own 404 stands for a path of the contracts that no controller has, such as a file that the documentation lacks. */
function fromNestError(error: unknown): unknown {
  return error instanceof NotFoundException ? new AppError('not_found', 'There is nothing at this address.') : error;
}
