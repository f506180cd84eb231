import { composeImage } from '../containers/compose-image.ts';
import { findDockerHost } from '../containers/start-container.ts';
import { choosePlace, type Place } from '../servers/choose-place.ts';
import { sayPlace } from '../servers/say-place.ts';
import { findRedisServer } from './find-redis-server.ts';

export const redisImage = (): string => composeImage('redis');

/** Finds where a Redis can run. The first call may pull an image. Throws the reasons if there is no place. */
export async function findRedisPlace(): Promise<Place> {
  const place = await choosePlace({ docker: () => findDockerHost(redisImage()), local: findRedisServer });
  sayPlace('Redis', place);
  return place;
}
