import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServiceName } from '@tollgate/contracts/routes/route';
import { serviceFor } from '@tollgate/contracts/routes/routes';
import type { Handle } from '@tollgate/runtime/http/serving/create-http-server';
import { pathOfTarget } from '@tollgate/runtime/http/requests/request-path';
import type { Service } from '@tollgate/kernel/service';

/** Serves all services under one base URL: each request goes to the service that the contracts name for its path. */
export function mountServices(services: Readonly<Record<ServiceName, Service>>): Handle {
  const handles: Record<ServiceName, Handle> = {
    auth: handleOf(services.auth),
    billing: handleOf(services.billing),
    'ingest-gateway': handleOf(services['ingest-gateway']),
    notifier: handleOf(services.notifier),
  };
  const { takePlain } = handles['ingest-gateway'];
  return Object.assign(routeToService, { takePlain });

  function routeToService(request: IncomingMessage, response: ServerResponse): void {
    const service = serviceFor(request.method ?? 'GET', pathOfTarget(request.url ?? '/').text);
    handles[service](request, response);
  }
}

function handleOf(service: Service): Handle {
  if (!service.handle) throw new Error(`${service.name} answers no requests`);
  return service.handle;
}
