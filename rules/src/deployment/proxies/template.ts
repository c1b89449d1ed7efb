import type { EmbeddedPiece, Text } from '@poolcheck/parsers/text';
import type { Environment } from '../../source/setting.ts';

const variable = /\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g;

/** What envsubst makes of a template: the variables that are set are filled in, others stay. Ranges map back to the template. */
export function fillIn(template: Text, environment: Environment): Text {
  const pieces: EmbeddedPiece[] = [];
  let content = '';
  let from = 0;
  const copy = (to: number) => {
    pieces.push({ inner: content.length, outer: from, length: to - from });
    content += template.content.slice(from, to);
  };
  for (const match of template.content.matchAll(variable)) {
    const value = environment(match[1] ?? match[2] ?? '');
    if (value.state !== 'set') continue;
    copy(match.index);
    pieces.push({ inner: content.length, outer: match.index, length: 0 });
    content += value.value;
    from = match.index + match[0].length;
  }
  copy(template.content.length);
  return { path: template.path, content, within: { outer: template, pieces } };
}
