import 'reflect-metadata';
import { Module, type CanActivate, type INestApplication, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Service } from '@tollgate/kernel/service';
import express from 'express';
import type { Handle } from '../http/serving/create-http-server.ts';
import { ProblemFilter } from './problem-filter.ts';

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
