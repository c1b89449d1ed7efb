import { type ConfigDocument, documentsOf } from '../documents.ts';
import { type ImageReference, type KnownImage, knownImage, type Software } from '../knowledge/images.ts';
import type { Project } from '../project.ts';
import type { Version } from '../version.ts';
import type { Versions } from '../versions.ts';
import { type BuiltImage, builtImage } from './built-image.ts';
import { copiedBy } from './copied-files.ts';
import { type ContainerFiles, containerFiles } from './container-files.ts';
import { installedServer, installedVersion, versionIn } from './installed-server.ts';
import type { Container } from './stack.ts';

/** What a container's image is known to be. */
export interface Image {
  /** The published image: the container's own, or the one that its Dockerfile starts from. */
  readonly reference: ImageReference | undefined;
  readonly known: KnownImage | undefined;
  /** What the project's Dockerfile adds. */
  readonly built: BuiltImage | undefined;
  /** The version of a server in it: the tag's, else that of the package that is installed, else the one that is declared. */
  version(software: Software): Version | undefined;
  /** What is known to stand in the container: mounted, or copied by the Dockerfile. */
  files(): ContainerFiles;
}

/** Looks up the image of a container among the Dockerfiles of the project. */
export type ImageOf = (container: Container) => Image;

export function imagesIn(documents: readonly ConfigDocument[], project: Project, versions: Versions): ImageOf {
  const dockerfiles = new Map(documentsOf(documents, 'dockerfile').map(({ text, document }) => [text.path, document]));
  return (container) => {
    const { image, build } = container;
    const dockerfile = build && dockerfiles.get(build.dockerfile);
    const built = dockerfile && builtImage(dockerfile, build.target);
    const reference = build ? built?.base : image?.reference;
    const files = () => {
      const copied = built ? copiedBy(built.copies, build.context, project.list()) : new Map<string, string>();
      return containerFiles(container, copied, project);
    };
    const published = reference && knownImage(reference);
    const known = (built && installedServer(container, built)) ?? published;
    const version = (software: Software) => {
      const byTag = reference && published?.software === software ? tagVersion(reference, published) : undefined;
      return byTag ?? (built && installedVersion(built, software)) ?? versions.get(software);
    };
    return { reference, known, built, version, files };
  };
}

function tagVersion({ tag }: ImageReference, { software, tags }: KnownImage): Version | undefined {
  return tag === undefined || tags === 'of its own' ? undefined : versionIn(tag, software);
}
