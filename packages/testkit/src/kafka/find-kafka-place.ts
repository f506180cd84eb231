import { composeImage } from '../containers/compose-image.ts';
import { findDockerHost } from '../containers/start-container.ts';
import { choosePlace, type Place } from '../servers/choose-place.ts';
import { findKafkaJars } from './kafka-jars.ts';

export const kafkaImage = (): string => composeImage('kafka');

/** Where a Kafka can run. The first to ask may wait until an image or jars are fetched. Throws why there is no place. */
export function findKafkaPlace(): Promise<Place> {
  return choosePlace({ docker: () => findDockerHost(kafkaImage()), local: findKafkaJars });
}
