import { knownImage } from '../knowledge/images.ts';
import type { Container } from './stack.ts';

/** Whether a container says, or its image is known, to listen on a port. */
export function listensOn({ ports, image }: Container, port: number): boolean {
  return ports.some(({ number }) => number === port) || (image !== undefined && knownImage(image.reference)?.port === port);
}
