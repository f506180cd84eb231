import { errorCodes, type ErrorCode } from '../packages/kernel/src/error-codes.ts';
import { problemMediaType, problemTypeOf } from '../packages/contracts/src/forms/problem.ts';
import type { ServiceName } from '../packages/contracts/src/routes/route.ts';
import { pathRules } from '../packages/contracts/src/routes/routes.ts';

/** More than any service takes, so that the services refuse bodies that are too large. */
const bodyBytesMax = 16 * 1_024 * 1_024;
/** As HTTP_CONNECTIONS_PER_ADDRESS_MAX of a service, which trusts the edge and so does not bound it. */
const answersPerAddressMax = 500;
const malformedDetail = 'The request is not well-formed HTTP, or its line or headers are too large.';

export type EdgeProtocol = 'http' | 'https';

const tlsListener = `  listen 8443 ssl;
  ssl_certificate /etc/nginx/tls/fullchain.pem;
  ssl_certificate_key /etc/nginx/tls/privkey.pem;
  ssl_protocols TLSv1.2 TLSv1.3;
  ssl_ciphers ECDHE+AESGCM:ECDHE+CHACHA20; # of TLS 1.2; those of 1.3 are all good
  ssl_session_cache shared:tls:10m;
  ssl_session_tickets off;
`;
/** A location that adds a header takes over none of its server's, so each has this one. */
const hsts = 'add_header Strict-Transport-Security "max-age=31536000; includeSubDomains" always;';
const { status: plainStatus, title: plainTitle } = errorCodes.invalid_request;
const plainProblem = JSON.stringify({
  type: problemTypeOf('invalid_request'),
  title: plainTitle,
  status: plainStatus,
  detail: 'Use https, and replace the credential of this request: it was sent in the clear.',
  code: 'invalid_request',
});
const toHttps = `
server {
  listen 8080;
  # People are sent to https. A program is refused: it has sent its credential in the clear, and has to learn of it.
  location = / {
    return 308 https://$host/;
  }
  location ~ ^/(app|docs)(/|$) {
    return 308 https://$host$request_uri;
  }
  location = /device {
    return 308 https://$host/device;
  }
  location / {
    default_type ${problemMediaType};
    return ${plainStatus} '${plainProblem}';
  }
}
`;

/**
 * Returns nginx's configuration of the base URL. A service's name in the network resolves to all of its replicas. With
 * `https` it reads the certificate from /etc/nginx/tls, and sends callers of http there.
 */
export function createEdgeConfig(protocol: EdgeProtocol = 'http'): string {
  const isTls = protocol === 'https';
  const servers = `# Settings of the network: the resolver of the services' names, and the load balancer before this edge.
include /etc/nginx/edge.d/*.conf;

# The paths that need no escapes in a JSON string.
map $request_uri $instance {
  "~^(?<plain>/[A-Za-z0-9/._~%-]*)([?]|$)" $plain;
  default /;
}

# An address may wait for so many answers at once. Idle connections do not count: when nginx has no connection left, it
# closes the one that has been idle for longest.
map $remote_addr $client_network {
  "~^(?<network>[0-9a-f]+:[0-9a-f]+:[0-9a-f]+:[0-9a-f]+):" $network; # an IPv6 /64 is one address
  "~^(?<network>[0-9a-f]+:[0-9a-f]+(:[0-9a-f]+)?)::" $network;
  default $remote_addr;
}
limit_conn_zone $client_network zone=per_address:10m;

# nginx keeps back the headers of a connection that it knows. It cannot keep back others that a caller's Connection names.
map $http_connection $names_a_header {
  "" 0;
  "~*^[ ,]*((close|keep-alive|te|upgrade|http2-settings)[ ,]*)*$" 0;
  default 1;
}
limit_conn_status ${errorCodes.rate_limit_exceeded.status};
limit_conn_log_level warn;

server {
${isTls ? `${tlsListener}  ${hsts}\n` : '  listen 8080;\n'}  merge_slashes off;
  limit_conn per_address ${answersPerAddressMax};
  client_header_timeout 10s;
  client_body_timeout 30s;
  send_timeout 30s;
  reset_timedout_connection on;
  client_max_body_size ${bodyBytesMax};
  client_body_buffer_size 1m;

  proxy_http_version 1.1;
  proxy_set_header Host $http_host;
  proxy_set_header Connection "";
  proxy_set_header Proxy-Connection "";
  proxy_set_header HTTP2-Settings "";
  proxy_set_header X-Forwarded-For $remote_addr; # a client's own header is not passed on
  proxy_set_header X-Forwarded-Proto $scheme;
  proxy_connect_timeout 1s;
  proxy_read_timeout 60s;
  # A replica that refused the connection has not got the request, so the next may; else nothing is sent twice.
  proxy_next_upstream error timeout;

${pathRules.map(({ pattern, service }) => location(`~ ${pattern}`, service)).join('')}${location('/', 'billing')}
${ownProblems.map((each) => ownProblem(each, isTls)).join('')}}
${isTls ? toHttps : ''}
# For the container's health check alone.
server {
  listen 127.0.0.1:8090;
  return 204;
}
`;
  return `# Written by \`pnpm edge-config\` from packages/contracts/src/routes/routes.ts; a test compares.
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
    if ($names_a_header) {
      return 400;
    }
    set $service ${service}; # in a variable, or the name would be looked up once, at the start
    proxy_pass http://$service:8080;
  }
`;
}

interface OwnProblem {
  readonly code: ErrorCode;
  /** The statuses of nginx's own refusals. 494 to 497 are its names for kinds of 400. */
  readonly statuses: string;
  readonly detail: string;
}

const ownProblems: readonly OwnProblem[] = [
  { code: 'invalid_request', statuses: '400 411 414 416 421 494 495 496 497 501 505', detail: malformedDetail },
  { code: 'not_found', statuses: '403 404', detail: 'There is no such route.' },
  { code: 'method_not_allowed', statuses: '405', detail: 'This method is not known.' },
  { code: 'request_timeout', statuses: '408', detail: 'The request did not arrive in time.' },
  { code: 'payload_too_large', statuses: '413', detail: 'The body is too large.' },
  { code: 'rate_limit_exceeded', statuses: '429', detail: 'This address waits for too many answers at once.' },
  { code: 'server_error', statuses: '500 507', detail: 'The edge failed.' },
  { code: 'unavailable', statuses: '502 503 504', detail: 'The service is not there at the moment.' },
];

/**
 * A refusal of the edge itself has the form of a service's problem. It has an address, not only a name: a request that
 * cannot be read has no address of its own, and nginx sends only those with one to a name.
 */
function ownProblem({ code, statuses, detail }: OwnProblem, isTls: boolean): string {
  const { status, title } = errorCodes[code];
  const problem = { type: problemTypeOf(code), title, status, detail, instance: '$instance', code };
  const body = JSON.stringify({ ...problem, request_id: '$request_id' });
  const retryAfter = status === 429 || status === 503 ? '    add_header Retry-After 1 always;\n' : '';
  return `
  error_page ${statuses} = /-/${code};
  location = /-/${code} {
    internal;
    default_type ${problemMediaType};
    add_header X-Request-Id $request_id always;
${retryAfter}${isTls ? `    ${hsts}\n` : ''}    return ${status} '${body}';
  }
`;
}
