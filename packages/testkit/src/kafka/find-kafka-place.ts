import { composeImage } from '../containers/compose-image.ts';
import { findDockerHost } from '../containers/start-container.ts';
import { choosePlace, type Place } from '../servers/choose-place.ts';
import { findKafkaJars } from './kafka-jars.ts';

export const kafkaImage = (): string => composeImage('kafka');

/** Finds where a Kafka can run. The first call may fetch an image or jars. Throws the reasons if there is no place. */
export function findKafkaPlace(): Promise<Place> {
  return choosePlace({ docker: () => findDockerHost(kafkaImage()), local: findKafkaJars });
}
