import { parseIni } from '@poolcheck/parsers/ini/parse';
import { placeOf } from '@poolcheck/parsers/text';
import { mysqlDefaults } from '../../knowledge/postgresql.ts';
import { assumed, defaulted, either, type Known, sum, written } from '../../known.ts';
import type { Image } from '../images.ts';
import type { Container } from '../stack.ts';
import { optionIn, optionInVariable, type Said, startWords } from './options.ts';
import type { Limits } from './postgresql.ts';

/** The slot that MySQL keeps for an administrator comes on top of `max_connections`. */
const reserved = sum([]);

/** How many connections a MySQL or MariaDB in a container accepts: the command line beats the files of options, which beat the default. */
export function mysqlLimits(container: Container, image: Image): Limits {
  return { maxConnections: maxConnections(container, image), reserved };
}

function maxConnections(container: Container, image: Image): Known {
  const flags = ['MYSQL_EXTRA_FLAGS', 'MARIADB_EXTRA_FLAGS'].map((name) => optionInVariable(container, name, 'max_connections'));
  const option = [optionIn(startWords(container, image), 'max_connections'), ...flags].find((each) => each !== undefined);
  if (option) return limitOf(option);
  const files = inFiles(image, container);
  // In which order the files of a folder are read is not told.
  if (files.length > 0) return either(files.map(limitOf));
  const { maxConnections: byDefault } = mysqlDefaults;
  const unread = image.built ?? container.mounts.find((mount) => isOptionFolder(mount.path) && !mount.files);
  return unread || image.known?.maker === 'other'
    ? assumed(0, Infinity, 'max_connections is not known', container.at)
    : defaulted(byDefault, `max_connections is not set: ${byDefault}`, container.image ?? container.at);
}

function limitOf({ value, place }: Said): Known {
  return value !== undefined && /^\d+$/.test(value)
    ? written(Number(value), `max_connections = ${value}`, place)
    : assumed(0, Infinity, 'max_connections is not known', place);
}

function isOptionFolder(path: string): boolean {
  return /^\/etc\/my(\.cnf|sql)/.test(path);
}

const optionFile =
  /^(\/etc\/my\.cnf|\/etc\/mysql\/my\.cnf|\/etc\/(mysql\/(conf|mysql\.conf|mariadb\.conf)\.d|my\.cnf\.d)\/[^/]+\.cnf|\/opt\/bitnami\/(mysql|mariadb)\/conf\/my_custom\.cnf)$/;
/** The sections that the server reads, besides those of one version. */
const serverSections = ['server', 'mysqld', 'mariadb', 'mariadbd'];

function inFiles(image: Image, { at }: Container): readonly Said[] {
  const files = image.files();
  return files
    .list()
    .filter((path) => optionFile.test(path))
    .flatMap((path): readonly Said[] => {
      const text = files.read(path);
      if (typeof text !== 'object') return [{ value: undefined, place: at }];
      const { sections } = parseIni(text).document;
      const found = serverSections.flatMap((section) => sections.get(section)?.get('max_connections') ?? []);
      return found.map(({ value, range }) => ({ value, place: placeOf(text, range) }));
    });
}
