import type { Clock } from '@tollgate/kernel/clock';
import type { Database } from '@tollgate/database/database';
import { deviceLoginLifeMs, intervalSecondsAtFirst } from './plan-poll.ts';
import { insertDeviceLogin } from './sql-device-login.ts';
import { createDeviceCode, createUserCode, hashDeviceCode, type HashUserCode } from './user-code.ts';

interface Deps {
  /** Nobody is signed in yet. */
  readonly worker: Database;
  readonly realTime: Pick<Clock, 'now'>;
  readonly hashUserCode: HashUserCode;
}

export interface AskedLogin {
  readonly deviceCode: string;
  readonly userCode: string;
  readonly expiresInSeconds: number;
  readonly intervalSeconds: number;
}

export type CreateDeviceLogin = (program: { readonly client: string; readonly address: string }) => Promise<AskedLogin>;

/** A code that is taken is rarer than one in a million, even among ten thousand live ones. */
const triesMax = 5;

/** Makes both codes of a sign-in that somebody is to approve. Only their hashes are stored. */
export function createCreateDeviceLogin({ worker, realTime, hashUserCode }: Deps): CreateDeviceLogin {
  return async function createDeviceLogin({ client, address }) {
    const deviceCode = createDeviceCode();
    const askedAt = realTime.now();
    const terms = { client, address, askedAt, intervalSeconds: intervalSecondsAtFirst };
    const login = { ...terms, deviceHash: hashDeviceCode(deviceCode), expiresAt: askedAt + deviceLoginLifeMs };
    for (let round = 1; round <= triesMax; round += 1) {
      const userCode = createUserCode();
      if (await insertDeviceLogin(worker, { ...login, userCodeHash: hashUserCode(userCode) }))
        return {
          deviceCode,
          userCode,
          expiresInSeconds: deviceLoginLifeMs / 1_000,
          intervalSeconds: login.intervalSeconds,
        };
    }
    throw new Error(`${triesMax} user codes were taken, which chance does not explain`);
  };
}
