import { createAccessGuard } from '@tollgate/runtime/nest/access-guard';
import { createNestHttp, type NestHttp } from '@tollgate/runtime/nest/create-nest-http';
import { SignInController } from '../accounts/sign-in.controller.ts';
import { ApiKeysController } from '../api-keys/api-keys.controller.ts';
import { admitBy } from '../sessions/admit-by.ts';
import { SessionController } from '../sessions/session.controller.ts';
import { JwksController } from '../signing-keys/jwks.controller.ts';
import { token, type UseCases } from './use-cases.ts';

export function createAuthHttp(useCases: UseCases): NestHttp {
  const names = Object.keys(useCases) as (keyof UseCases)[]; // an interface has no keys at run time; the value has just these
  return createNestHttp({
    name: 'auth-http',
    controllers: [SignInController, SessionController, ApiKeysController, JwksController],
    providers: names.map((name) => ({ provide: token(name), useValue: useCases[name] })),
    guard: createAccessGuard(admitBy(useCases.authenticate)),
  });
}
