import { pgbouncerImage } from '../knowledge/pgbouncer-images.ts';
import { imageVocabulary } from '../knowledge/pgbouncer-vocabulary.ts';
import { serverVocabulary } from '../knowledge/server-vocabulary.ts';
import type { Image, ImageOf } from './images.ts';
import type { Given } from './model.ts';
import type { Container, Stack } from './stack.ts';

/** What the images and operators of a stack are given by name, where it is known what they read. */
export function givenIn({ workloads }: Stack, imageOf: ImageOf): readonly Given[] {
  return workloads.flatMap(({ containers }) =>
    containers.flatMap((container) => givenToOperator(container) ?? givenToImage(container, imageOf(container)) ?? []),
  );
}

function givenToOperator({ operated, variables }: Container): Given | undefined {
  const vocabulary = operated?.vocabulary;
  return vocabulary && { vocabulary, names: variables, file: undefined };
}

/** With a Dockerfile or an entrypoint of one's own, something else may read them. */
function givenToImage(container: Container, image: Image): Given | undefined {
  const { known, reference, built } = image;
  if (built || container.entrypoint || !known || !reference) return undefined;
  const names = container.variables.filter(({ name }) => !isInCommand(name, container));
  const pooler = pgbouncerImage(known);
  if (pooler) {
    const files = image.files();
    const file = pooler.files.map((path) => files.read(path)).find((each) => typeof each === 'object');
    return { vocabulary: imageVocabulary(reference.repository, pooler), names, file };
  }
  const vocabulary = serverVocabulary(reference.repository, known);
  return vocabulary && { vocabulary, names, file: undefined };
}

function isInCommand(name: string, { command = [] }: Container): boolean {
  return command.some(({ value, text, range }) => value.includes(name) || text.content.slice(range.start, range.end).includes(name));
}
