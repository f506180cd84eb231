import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { RecordExport } from '../audit/record-export.ts';
import type { Principal } from '../http/requests/principal.ts';
import { refuseUnusedKey } from '../http/idempotency/idempotency-key.ts';
import { refuseUnknownParameters } from '../http/requests/parse.ts';
import { routeOf } from '../http/requests/request-context.ts';

/** Lets a request in, or rejects, as its route demands. Undefined: the route is open to everybody. */
export type Admit = (request: Request, response: Response) => Principal | undefined | Promise<Principal | undefined>;

/** In front of every handler: the contracts' table says who may enter a route, and with which query parameters. */
export function createAccessGuard(admit: Admit, recordExport: RecordExport): CanActivate {
  return {
    async canActivate(context: ExecutionContext): Promise<boolean> {
      const http = context.switchToHttp();
      const request = http.getRequest<Request>();
      await admit(request, http.getResponse<Response>());
      refuseUnknownParameters(routeOf(request).query, request.url);
      refuseUnusedKey(request);
      await recordExport(request);
      return true;
    },
  };
}
