/** Why a database is not migrated: its message tells the operator what to do, and nothing was changed. */
export class MigrationRefusal extends Error {
  override readonly name = 'MigrationRefusal';
}
