import { composeImage } from '../containers/compose-image.ts';
import { findDockerHost } from '../containers/start-container.ts';
import { choosePlace, type Place } from '../servers/choose-place.ts';
import { findRedisServer } from './find-redis-server.ts';

export const redisImage = (): string => composeImage('redis');

/** Finds where a Redis can run. The first call may pull an image. Throws the reasons if there is no place. */
export function findRedisPlace(): Promise<Place> {
  return choosePlace({ docker: () => findDockerHost(redisImage()), local: findRedisServer });
}
