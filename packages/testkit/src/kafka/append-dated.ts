import kafkajs, { type Message } from 'kafkajs';

const { ConfigResourceTypes, Kafka, logLevel } = kafkajs;

export interface DatedMessage extends Message {
  /** Epoch ms: the record's time in the log. */
  readonly timestamp: string;
}

/** Appends records with given times, as a broker with a wrong clock would. From then on the topic accepts any time. */
export async function appendDated(address: string, topic: string, messages: readonly DatedMessage[]): Promise<void> {
  const kafka = new Kafka({ brokers: [address], logLevel: logLevel.NOTHING });
  const admin = kafka.admin();
  const producer = kafka.producer();
  await Promise.all([admin.connect(), producer.connect()]);
  try {
    await admin.alterConfigs({
      validateOnly: false,
      resources: [
        {
          type: ConfigResourceTypes.TOPIC,
          name: topic,
          configEntries: [
            { name: 'message.timestamp.type', value: 'CreateTime' },
            { name: 'message.timestamp.after.max.ms', value: String(2n ** 63n - 1n) }, // the default is an hour
            { name: 'retention.ms', value: '-1' }, // else records with an old time go at once
          ],
        },
      ],
    });
    await producer.send({ topic, messages: [...messages] });
  } finally {
    await Promise.all([admin.disconnect(), producer.disconnect()]);
  }
}
