import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { authorize } from '@tollgate/runtime/auth/require-access';
import type { Request } from 'express';
import { token, type UseCases } from './use-cases.ts';

/** In front of every controller: who may enter is what the route's entry in the contracts says. */
@Injectable()
export class CredentialsGuard implements CanActivate {
  constructor(@Inject(token('credentials')) private readonly credentials: UseCases['credentials']) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    await authorize(context.switchToHttp().getRequest<Request>(), this.credentials);
    return true;
  }
}
