import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Texts in PEM. `cert` and `key` are those of 127.0.0.1 or of a client; `ca` signed them. */
export interface Certificate {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];

/** Makes an authority and a certificate per name, all for 127.0.0.1, by the command `openssl`. */
export async function makeCertificates<Name extends string>(
  names: readonly Name[],
): Promise<Readonly<Record<Name, Certificate>>> {
  const folder = await mkdtemp(join(tmpdir(), 'certificates-'));
  const openssl = (...args: readonly string[]) => promisify(execFile)('openssl', args, { cwd: folder });
  const read = (file: string): Promise<string> => readFile(join(folder, file), 'utf8');
  try {
    await openssl('req', '-x509', ...newKey, '-subj', '/CN=Tests', '-keyout', 'ca.key', '-out', 'ca.pem');
    await writeFile(join(folder, 'names.cnf'), 'subjectAltName=IP:127.0.0.1,DNS:localhost\n');
    const ca = await read('ca.pem');
    const made: [Name, Certificate][] = [];
    for (const name of names) {
      await openssl('req', ...newKey, '-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.csr`);
      const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'names.cnf', '-days', '2'];
      await openssl('x509', '-req', '-in', `${name}.csr`, '-out', `${name}.pem`, ...signed);
      made.push([name, { ca, cert: await read(`${name}.pem`), key: await read(`${name}.key`) }]);
    }
    return Object.fromEntries(made) as Record<Name, Certificate>; // one entry per name
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
