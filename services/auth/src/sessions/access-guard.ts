import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { requireAccess } from '@tollgate/runtime/auth/require-access';
import { routeOf, setPrincipal } from '@tollgate/runtime/http/request-context';
import type { Request, Response } from 'express';
import type { Authenticate } from './authenticate.ts';

/** In front of every handler: who may enter is what the contracts' table says of the route, so no handler can forget it. */
export class AccessGuard implements CanActivate {
  constructor(private readonly authenticate: Authenticate) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const { access } = routeOf(request);
    if (access === 'public' || access === 'refresh') return true; // refresh judges its token itself: it may have expired
    const principal = await this.authenticate(request, http.getResponse<Response>());
    requireAccess(access, principal);
    setPrincipal(request, principal);
    return true;
  }
}
