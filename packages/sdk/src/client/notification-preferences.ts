import type { CallOptions } from './attempt.ts';
import type { Schemas } from './operation-types.ts';
import type { Call } from './request.ts';

/** The mails that you want, of those that you may switch off. */
export function notificationPreferencesOf(call: Call) {
  return {
    get: (options?: CallOptions) => call('getNotificationPreferences', {}, options),
    /** Sets all of them. What you leave out is on. */
    set: (body: Schemas['NewNotificationPreferences'], options?: CallOptions) =>
      call('putNotificationPreferences', { body }, options),
  };
}
