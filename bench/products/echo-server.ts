import { createServer } from 'node:http';

/** The ceiling: the least that an HTTP server on Node can do with a POST, the body read and sent back. */
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks);
    response.writeHead(201, { 'content-type': 'application/json', 'content-length': body.length });
    response.end(body);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`echo ready: http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}\n`);
});
