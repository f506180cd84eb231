import 'reflect-metadata';
import { Module, type INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Handle } from '@tollgate/runtime/http/create-http-server';
import type { Service } from '@tollgate/kernel/service';
import express from 'express';
import { AccessGuard } from '../sessions/access-guard.ts';
import { ApiKeysController } from '../api-keys/api-keys.controller.ts';
import { JwksController } from '../signing-keys/jwks.controller.ts';
import { ProblemFilter } from './problem-filter.ts';
import { SessionController } from '../sessions/session.controller.ts';
import { SignInController } from '../accounts/sign-in.controller.ts';
import { token, type UseCases } from './use-cases.ts';

export interface AuthHttp extends Service {
  readonly handle: Handle;
}

@Module({})
class AuthHttpModule {}

/** Nest's part: routes, guards and the one filter. It listens to nothing and owns nothing; the use cases are handed in. */
export function createAuthHttp(useCases: UseCases): AuthHttp {
  const server = express().disable('x-powered-by').disable('etag');
  let app: INestApplication | undefined;
  return {
    name: 'auth-http',
    async start() {
      app = await NestFactory.create(moduleOf(useCases), new ExpressAdapter(server), {
        bodyParser: false,
        logger: false,
        abortOnError: false,
      });
      app.useGlobalGuards(new AccessGuard(useCases.authenticate));
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

function moduleOf(useCases: UseCases) {
  const names = Object.keys(useCases) as (keyof UseCases)[]; // an interface has no keys at run time; the value has just these
  return {
    module: AuthHttpModule,
    controllers: [SignInController, SessionController, ApiKeysController, JwksController],
    providers: names.map((name) => ({ provide: token(name), useValue: useCases[name] })),
  };
}
