import type { Database } from '@tollgate/database/database';
import { aroundStatements } from '../dying-database.ts';
import type { Movements, MovementOrder, Processor } from '../../../src/processor/processor.ts';

/** Thrown where the process died, and by all that it would still have done. */
export class Died extends Error {
  constructor() {
    super('the process died');
  }
}

/**
 * A process that can die between any two statements: of its database, of the processor's. Each statement, commit and call
 * is a place to die, before it or after it; then nothing more is done until it is revived.
 */
export class Mortal {
  private placesLeft: number | undefined;
  private isDead = false;

  /** It dies at the n-th place from now. */
  doom(places: number): void {
    this.placesLeft = places;
  }

  /** Answers whether it had died. */
  revive(): boolean {
    const hadDied = this.isDead;
    this.isDead = false;
    this.placesLeft = undefined;
    return hadDied;
  }

  /** Two places: before the work, and after it, when nobody hears of it any more. */
  async live<T>(work: () => Promise<T>): Promise<T> {
    this.pass();
    const result = await work();
    this.pass();
    return result;
  }

  private pass(): void {
    if (this.placesLeft !== undefined) {
      this.isDead = this.isDead || this.placesLeft <= 0;
      this.placesLeft -= 1;
    }
    if (this.isDead) throw new Died();
  }
}

/** Dying inside a transaction rolls it back; dying after its commit does not. */
export function mortalDatabase(database: Database, mortal: Mortal): Database {
  const alive = aroundStatements(database, (statement) => mortal.live(statement));
  return { ...alive, transaction: (work, options) => mortal.live(() => alive.transaction(work, options)) };
}

/** The processor lives on: what was ordered is done, though who ordered it has died. */
export function mortalProcessor(processor: Processor, mortal: Mortal): Processor {
  return {
    ...processor,
    charges: mortalMovements(processor.charges, mortal),
    refunds: mortalMovements(processor.refunds, mortal),
    transfers: mortalMovements(processor.transfers, mortal),
    ownPayouts: { ...processor.ownPayouts, read: (id) => mortal.live(() => processor.ownPayouts.read(id)) },
    disputes: { ...processor.disputes, read: (id) => mortal.live(() => processor.disputes.read(id)) },
  };
}

function mortalMovements<Order extends MovementOrder>(movements: Movements<Order>, mortal: Mortal): Movements<Order> {
  return {
    ...movements,
    create: (order) => mortal.live(() => movements.create(order)),
    findAll: (order) => mortal.live(() => movements.findAll(order)),
    read: (id) => mortal.live(() => movements.read(id)),
  };
}
