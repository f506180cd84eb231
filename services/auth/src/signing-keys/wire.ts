import { dayMs, minuteMs } from '@tollgate/kernel/durations';
import type { Clock } from '@tollgate/kernel/clock';
import type { Database } from '@tollgate/database/database';
import type { Notifications } from '@tollgate/database/notifications';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { every } from '@tollgate/runtime/timing/every';
import type { Config } from '../config.ts';
import { jwksController } from './jwks.controller.ts';
import { createKeyRing } from './key-ring.ts';
import { createSealedBox } from '@tollgate/kernel/sealed-box';

interface Deps {
  readonly worker: Database;
  readonly notifications: Pick<Notifications, 'on'>;
  readonly clock: Clock;
  readonly log: Logger;
}

export function wireSigningKeys(config: Config, { worker, notifications, clock, log }: Deps) {
  const box = createSealedBox({ secret: config.AUTH_KEY_ENCRYPTION_SECRET, purpose: 'signing-key' });
  const keyRing = createKeyRing({ worker, box, clock, log });
  const rotateAfterMs = config.SIGNING_KEY_ROTATION_DAYS * dayMs;
  notifications.on('auth_changed', (table) => {
    if (table === 'signing_key' || table === '') void keyRing.reload().catch(() => undefined); // the job below reads again
  });

  async function tendKeys(): Promise<void> {
    await keyRing.reload();
    if (clock.now() - keyRing.current().createdAt >= rotateAfterMs) await keyRing.rotate({ kind: 'service' });
  }

  return {
    useCases: { currentSigningKey: keyRing.current, rotateSigningKey: keyRing.rotate },
    controllers: [jwksController(keyRing)],
    parts: [keyRing, every({ name: 'auth-tend-keys', everyMs: minuteMs, run: tendKeys, log })],
  };
}
