import { dayMs, minuteMs } from '@tollgate/kernel/durations';
import type { Clock } from '@tollgate/kernel/clock';
import type { Database } from '@tollgate/database/database';
import type { Notifications } from '@tollgate/database/notifications';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { every } from '@tollgate/runtime/timing/every';
import type { Config } from '../config.ts';
import { jwksController } from './jwks.controller.ts';
import { createKeyRing, type KeyRing } from './key-ring.ts';
import { createSealedBox } from '@tollgate/kernel/sealed-box';
import type { KeyUse } from './signing-key.ts';

interface Deps {
  readonly worker: Database;
  readonly notifications: Pick<Notifications, 'on'>;
  readonly clock: Clock;
  readonly log: Logger;
}

export function wireSigningKeys(config: Config, { worker, notifications, clock, log }: Deps) {
  const box = createSealedBox({ secret: config.AUTH_KEY_ENCRYPTION_SECRET, purpose: 'signing-key' });
  const rings = {
    session: createKeyRing({ use: 'session', worker, box, clock, log }),
    oauth: createKeyRing({ use: 'oauth', worker, box, clock, log }),
  } satisfies Record<KeyUse, KeyRing>;
  const all = Object.values(rings);
  const rotateAfterMs = config.SIGNING_KEY_ROTATION_DAYS * dayMs;
  notifications.on('auth_changed', (table) => {
    if (table !== 'signing_key' && table !== '') return;
    for (const ring of all) void ring.reload().catch(() => undefined); // the job below reads again
  });

  async function tendKeys(): Promise<void> {
    for (const ring of all) {
      await ring.reload();
      if (clock.now() - ring.current().createdAt >= rotateAfterMs) await ring.rotate({ kind: 'service' });
    }
  }

  return {
    useCases: { currentSigningKey: rings.session.current, keyRings: rings },
    controllers: [jwksController(rings)],
    parts: [...all, every({ name: 'auth-tend-keys', everyMs: minuteMs, run: tendKeys, log })],
  };
}
