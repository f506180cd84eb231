/** Used only by root, for files that the user who runs PostgreSQL cannot reach elsewhere. A reboot keeps it. */
export const sharedFolder = '/var/lib/tollgate';
