import { composeImage } from '../containers/compose-image.ts';
import { findDockerHost } from '../containers/start-container.ts';
import { choosePlace, type Place } from '../servers/choose-place.ts';
import { sayPlace } from '../servers/say-place.ts';
import { findKafkaJars } from './kafka-jars.ts';

export const kafkaImage = (): string => composeImage('kafka');

/** Finds where a Kafka can run. The first call may fetch an image or jars. Throws the reasons if there is no place. */
export async function findKafkaPlace(): Promise<Place> {
  const place = await choosePlace({ docker: () => findDockerHost(kafkaImage()), local: findKafkaJars });
  sayPlace('Kafka', place);
  return place;
}
