import { errorCodes, type ErrorCode } from '../packages/kernel/src/error-codes.ts';
import { problemMediaType, problemTypeOf } from '../packages/contracts/src/problem.ts';
import type { ServiceName } from '../packages/contracts/src/route.ts';
import { pathRules } from '../packages/contracts/src/routes.ts';

/** More than any service takes, so that what is too large is theirs to refuse. */
const bodyBytesMax = 16 * 1_024 * 1_024;

/** nginx's configuration of the one base URL. Each service is found by its name in the network, all of its replicas. */
export function createEdgeConfig(): string {
  const servers = `# Docker's own: asked again each second, for replicas come and go.
resolver 127.0.0.11 valid=1s ipv6=off;

# What may stand in a JSON string as it is.
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
  proxy_set_header X-Forwarded-For $remote_addr; # what a client says of itself is not passed on
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
# Anybody may run it: all that it writes is in /tmp.
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
  /** That nginx itself answers with. */
  readonly statuses: string;
  readonly detail: string;
}

/** What the edge refuses by itself looks like what a service refuses. */
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
