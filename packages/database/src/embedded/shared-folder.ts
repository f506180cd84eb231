/** For root only: what the user who runs PostgreSQL cannot reach elsewhere is put here, where a reboot keeps it. */
export const sharedFolder = '/var/lib/tollgate';
