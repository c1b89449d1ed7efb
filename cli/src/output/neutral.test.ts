import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  commandData,
  commandProperty,
  markdownBlock,
  markdownCode,
  markdownProse,
  markdownRow,
  markdownText,
  mermaidLabel,
  prose,
  safeJson,
  visible,
} from './neutral.ts';

const acting = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;
const anything = fc.string({ unit: 'binary' });

describe('a terminal or log', () => {
  test('sees pictures of what would act on it, one for one', () => {
    expect(visible('\x1b[31mred\x07\r\n\x7f\x9b\u202e\u200b\u2028\ud800')).toBe('␛[31mred␇␍␊␡�����');
  });

  test('never gets a character that acts', () => fc.assert(fc.property(anything, (text) => !acting.test(visible(text)))));

  test('finds no command in prose', () => {
    expect(prose('::error::x\n::stop-commands::y a::b ##[group]z ##vso[task]')).toBe(
      '∷error::x ∷stop-commands::y a::b #♯[group]z #♯vso[task]',
    );
  });
});

describe('JSON', () => {
  test('says the same as before', () => fc.assert(fc.property(fc.string(), (text) => JSON.parse(safeJson(text)) === text)));

  test('holds nothing that acts, but its own line breaks', () => {
    fc.assert(fc.property(anything, (text) => !acting.test(safeJson([text]).replaceAll('\n', ''))));
    expect(safeJson('##[error]\u{e0041}')).toBe(String.raw`"\u0023#[error]\udb40\udc41"`);
  });
});

describe('a workflow command', () => {
  test('ends where its line ends', () => {
    expect(commandData('50%\n::error::x\r')).toBe('50%25%0A::error::x␍');
    expect(commandProperty('a:b,c\nd')).toBe('a%3Ab%2Cc␊d');
    fc.assert(fc.property(anything, (text) => !acting.test(commandData(text)) && !/[:,\n]/.test(commandProperty(text))));
  });
});

describe('Markdown', () => {
  test('text is only text', () => {
    expect(markdownText('<script>&lt; *a* _b_ [c](d) `e` ~~f~~ $g$')).toBe(
      '&lt;script&gt;&amp;lt; \\*a\\* \\_b\\_ \\[c\\](d) \\`e\\` \\~\\~&#8203;f\\~\\~ \\$&#8203;g\\$',
    );
  });

  test('nobody is notified and nothing is linked', () => {
    expect(markdownText('@team #12 GH-12 https://x.y www.x.y !3 a@b.c')).toBe(
      '@&#8203;team #&#8203;12 GH-&#8203;12 https:&#8203;//x.y www&#8203;.x.y !&#8203;3 a@&#8203;b.c',
    );
  });

  test('what a message sets between backticks is code', () => {
    expect(markdownProse('`client` of `a|b` is <b>lost</b>`')).toBe('`client` of `a|b` is &lt;b&gt;lost&lt;/b&gt;\\`');
  });

  test('code and blocks end only at their own fence', () => {
    expect(markdownCode('a`b``')).toBe('``` a`b`` ```');
    expect(markdownCode('  ')).toBe('');
    expect(markdownBlock(['a', '```', 'b'], 'ts')).toBe('````ts\na\n```\nb\n````');
  });

  test('a cell ends only at its own bar', () => {
    expect(markdownRow([markdownText('a|b'), markdownCode('c|d')])).toBe('| a\\|b | `c\\|d` |');
  });
});

test('a label of a graph holds nothing but words', () => {
  expect(mermaidLabel('orders"] --> x; click <b>\n%% end`')).toBe('orders -- x click b end');
  expect(mermaidLabel('x'.repeat(100))).toHaveLength(60);
});
