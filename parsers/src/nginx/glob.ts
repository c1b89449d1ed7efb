/** Whether a path matches a pattern of glob(3), as `include` uses it: `*`, `?` and `[…]`, none of which matches `/` or a leading dot. */
export function matchesGlob(pattern: string, path: string): boolean {
  const patterns = pattern.split('/');
  const names = path.split('/');
  return patterns.length === names.length && patterns.every((part, i) => matchesName(part, names[i] ?? ''));
}

export function hasGlob(pattern: string): boolean {
  return /[*?[]/.test(pattern);
}

/** One folder or file name; goes back to the last `*` only, so the work is bounded by the product of the lengths. */
function matchesName(pattern: string, name: string): boolean {
  if (name.startsWith('.') && !pattern.startsWith('.')) return false;
  let [p, n] = [0, 0];
  let star: { readonly after: number; from: number } | undefined;
  while (n < name.length) {
    const length = pattern[p] === '*' ? 0 : matchesOne(pattern, p, name.charAt(n));
    if (pattern[p] === '*') {
      star = { after: ++p, from: n };
    } else if (length > 0) {
      p += length;
      n++;
    } else if (star) {
      p = star.after;
      n = ++star.from;
    } else {
      return false;
    }
  }
  return /^\**$/.test(pattern.slice(p));
}

/** How many characters of the pattern at `p` stand for this character; 0 when they do not. */
function matchesOne(pattern: string, p: number, char: string): number {
  if (p >= pattern.length) return 0;
  if (pattern[p] === '?') return 1;
  const close = pattern[p] === '[' ? pattern.indexOf(']', p + (isNegated(pattern, p) ? 3 : 2)) : -1;
  if (close < 0) return pattern[p] === char ? 1 : 0;
  const inside = pattern.slice(p + (isNegated(pattern, p) ? 2 : 1), close);
  return isListed(inside, char) === isNegated(pattern, p) ? 0 : close - p + 1;
}

function isNegated(pattern: string, bracket: number): boolean {
  return pattern[bracket + 1] === '!' || pattern[bracket + 1] === '^';
}

function isListed(list: string, char: string): boolean {
  for (let i = 0; i < list.length; i++) {
    const isRange = list[i + 1] === '-' && i + 2 < list.length;
    const [low, high] = isRange ? [list.charAt(i), list.charAt(i + 2)] : [list.charAt(i), list.charAt(i)];
    if (low <= char && char <= high) return true;
    if (isRange) i += 2;
  }
  return false;
}
