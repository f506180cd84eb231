import type { ReactNode } from 'react';
import { Facts } from '../patterns/facts.tsx';
import { Time } from '../patterns/time.tsx';
import type { OperatorSchemas } from './operator-api.ts';

type Machine = OperatorSchemas['OperatorMachine'];

const gigabytes = new Intl.NumberFormat(undefined, { style: 'unit', unit: 'gigabyte', maximumFractionDigits: 1 });

/** Says how long the certificate and the disk last. */
export function MachineFacts({ machine: { certificate, disk } }: { readonly machine: Machine }): ReactNode {
  return (
    <Facts
      facts={{
        Certificate:
          certificate === null ? (
            'not known: PUBLIC_URL is not https, or has not answered yet'
          ) : (
            <>
              ends at <Time at={certificate.ends_at} />
            </>
          ),
        Disk: disk === null ? 'not known: the database is a server’s' : <Room disk={disk} />,
      }}
    />
  );
}

function Room({
  disk: { free_bytes: free, size_bytes: size, full_at: fullAt },
}: {
  readonly disk: NonNullable<Machine['disk']>;
}): ReactNode {
  return (
    <>
      {gigabytes.format(free / 1e9)} of {gigabytes.format(size / 1e9)} are free
      {fullAt === null ? '. It does not fill' : ', full at '}
      {fullAt !== null && <Time at={fullAt} />}
    </>
  );
}
