import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createConformanceServer } from './mcp-conformance-server.ts';

/** The server of the conformance tests over stdio. It knows nothing of Tollgate. */
serveStdio(createConformanceServer);
