import { errorCodes, type ErrorCode } from '../packages/kernel/src/error-codes.ts';
import { problemMediaType, problemTypeOf } from '../packages/contracts/src/problem.ts';
import type { ServiceName } from '../packages/contracts/src/route.ts';
import { pathRules } from '../packages/contracts/src/routes.ts';

/** More than any service takes, so that the services refuse bodies that are too large. */
const bodyBytesMax = 16 * 1_024 * 1_024;

/** Returns nginx's configuration of the base URL. A service's name in the network resolves to all of its replicas. */
export function createEdgeConfig(): string {
  const servers = `# Docker's resolver, which nginx queries again each second, since replicas come and go.
resolver 127.0.0.11 valid=1s ipv6=off;

# The paths that need no escapes in a JSON string.
map $request_uri $instance {
  "~^(?<plain>/[A-Za-z0-9/._~%-]*)([?]|$)" $plain;
  default /;
}

server {
  listen 8080;
  merge_slashes off;
  client_max_body_size ${bodyBytesMax};
  client_body_buffer_size 1m;

  proxy_http_version 1.1;
  proxy_set_header Host $http_host;
  proxy_set_header Connection "";
  proxy_set_header X-Forwarded-For $remote_addr; # a client's own header is not passed on
  proxy_set_header X-Forwarded-Proto $scheme;
  proxy_connect_timeout 1s;
  proxy_read_timeout 60s;
  # A replica that refused the connection has not got the request, so the next may; else nothing is sent twice.
  proxy_next_upstream error timeout;

${pathRules.map(({ pattern, service }) => location(`~ ${pattern}`, service)).join('')}${location('/', 'billing')}
${ownProblem('unavailable', { name: '@unavailable', statuses: '502 503 504', detail: 'The service is not there at the moment.' })}
${ownProblem('payload_too_large', { name: '@too_large', statuses: '413', detail: 'The body is too large.' })}}

# For the container's health check alone.
server {
  listen 127.0.0.1:8090;
  return 204;
}
`;
  return `# Written by \`pnpm edge-config\` from packages/contracts/src/routes.ts; a test compares.
# Any user may run nginx: it writes only to /tmp.
pid /tmp/nginx.pid;
error_log stderr;
worker_processes auto;

events {
  worker_connections 8192;
}

http {
  client_body_temp_path /tmp/body;
  proxy_temp_path /tmp/proxy;
  fastcgi_temp_path /tmp/fastcgi;
  uwsgi_temp_path /tmp/uwsgi;
  scgi_temp_path /tmp/scgi;
  server_tokens off;
  access_log off;

${indented(servers)}}
`;
}

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ');
}

function location(match: string, service: ServiceName): string {
  return `  location ${match} {
    set $service ${service}; # in a variable, or the name would be looked up once, at the start
    proxy_pass http://$service:8080;
  }
`;
}

interface OwnProblem {
  readonly name: string;
  /** The statuses of nginx's own refusals. */
  readonly statuses: string;
  readonly detail: string;
}

/** A refusal of the edge itself has the form of a service's problem. */
function ownProblem(code: ErrorCode, { name, statuses, detail }: OwnProblem): string {
  const { status, title } = errorCodes[code];
  const problem = { type: problemTypeOf(code), title, status, detail, instance: '$instance', code };
  const body = JSON.stringify({ ...problem, request_id: '$request_id' });
  return `  error_page ${statuses} = ${name};
  location ${name} {
    internal;
    default_type ${problemMediaType};
    add_header X-Request-Id $request_id always;
    return ${status} '${body}';
  }
`;
}
