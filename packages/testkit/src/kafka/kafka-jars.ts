import { findJars } from '../maven-jars.ts';

const version = '4.3.1';

/** Returns the folder with the jars of Apache Kafka, some 60 MB. Throws an error that says what is missing. */
export function findKafkaJars(): Promise<string> {
  const artifacts = [`org.apache.kafka:kafka_2.13:${version}`, 'org.apache.logging.log4j:log4j-slf4j-impl:2.25.4'];
  return findJars({ name: 'Kafka', version, artifacts });
}
