import type { Io } from './io.ts';

/** https://no-color.org and https://force-color.org; what is said on the command line wins. */
export function hasColor({ color }: { readonly color: boolean }, { env, out }: Io): boolean {
  if (!color) return false;
  if (env['FORCE_COLOR']) return env['FORCE_COLOR'] !== '0';
  return !env['NO_COLOR'] && env['TERM'] !== 'dumb' && out.isTerminal;
}
