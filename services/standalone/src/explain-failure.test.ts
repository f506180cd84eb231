import { describe, expect, it } from '@jest/globals';
import { EmbeddedPostgresError } from '@tollgate/database/embedded/embedded-postgres-error';
import { MigrationRefusal } from '@tollgate/database/migration-refusal';

import { explainFailure } from './explain-failure.ts';

const listenError = (code: string) =>
  Object.assign(new Error(code), { code, syscall: 'listen', address: '127.0.0.1', port: 80 });

describe('explainFailure', () => {
  it.each([
    ['a port in use', listenError('EADDRINUSE'), /^port 127\.0\.0\.1:80 is in use; .*--port/],
    ['a port below 1024', listenError('EACCES'), /may not listen on 127\.0\.0\.1:80/],
    ['a foreign address', listenError('EADDRNOTAVAIL'), /does not have the address 127\.0\.0\.1:80; .*--host/],
    [
      'an unknown host',
      Object.assign(new Error(), { code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: 'nowhere' }),
      /address nowhere/,
    ],
    ['a data folder in trouble', new EmbeddedPostgresError('the data folder is wrong'), /^the data folder is wrong$/],
    ['a database that is not migrated', new MigrationRefusal('it is too old'), /^it is too old$/],
  ])('has words for %s', (_, error, words) => {
    expect(explainFailure(error)).toMatch(words);
  });

  it.each([
    ['a bug', new TypeError('x is not a function')],
    ['another system call', Object.assign(new Error(), { code: 'EACCES', syscall: 'open' })],
    ['no error at all', undefined],
  ])('leaves %s to the log', (_, error) => {
    expect(explainFailure(error)).toBeUndefined();
  });
});
