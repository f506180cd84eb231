import { randomUUID } from 'node:crypto';
import { Kafka, Partitioners, logLevel, type ProducerRecord } from 'kafkajs';

export interface OpenTransaction {
  /** Resolves when Kafka has committed. The end marker may reach the log a little later. */
  commit(): Promise<void>;
}

/** Appends records in a transaction and leaves it open, as another program may. */
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
