/** Blocks whose lines are not directives; `include` is understood in them too. */
const entryBlocks: ReadonlySet<string> = new Set(['map', 'types', 'geo', 'split_clients', 'charset_map']);

/** Directives that nginx refuses without a block, wherever they stand. */
const blockDirectives: ReadonlySet<string> = new Set([
  ...entryBlocks,
  'events',
  'http',
  'stream',
  'mail',
  'upstream',
  'location',
  'if',
  'limit_except',
]);

export function isEntryBlock(name: string): boolean {
  return entryBlocks.has(name);
}

export function isLuaBlock(name: string): boolean {
  return /^[a-z_]+_by_lua_block$/.test(name);
}

export function needsBlock(name: string): boolean {
  return blockDirectives.has(name);
}
