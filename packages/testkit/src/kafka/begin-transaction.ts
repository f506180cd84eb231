import { randomUUID } from 'node:crypto';
import { Kafka, Partitioners, logLevel, type ProducerRecord } from 'kafkajs';

export interface OpenTransaction {
  /** Resolves when Kafka has decided it; the marker that ends it may be in the log a little later. */
  commit(): Promise<void>;
}

/** Records in a transaction that is not decided yet, as some other program may leave it. */
export async function beginTransaction(address: string, record: ProducerRecord): Promise<OpenTransaction> {
  const producer = new Kafka({ brokers: [address], logLevel: logLevel.NOTHING, retry: { retries: 10 } }).producer({
    transactionalId: randomUUID(),
    maxInFlightRequests: 1,
    createPartitioner: Partitioners.DefaultPartitioner,
  });
  await producer.connect();
  const transaction = await producer.transaction();
  await transaction.send(record);
  return {
    async commit() {
      await transaction.commit();
      await producer.disconnect();
    },
  };
}
