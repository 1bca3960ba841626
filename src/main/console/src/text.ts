import { options, type VNode } from 'preact';

/**
 * Characters that show as nothing and change what is beside them, or make a name look like another: controls
 * but tabs and ends of lines, separators of lines, characters of no width, those that turn the direction of
 * writing (UAX #9), and tags.
 */
const DECEPTIVE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** A text with its deceptive characters as escapes of JSON. */
export function visible(text: string): string {
  return text.replace(DECEPTIVE, (c) => c.split('').map((unit) => '\\u' + unit.charCodeAt(0).toString(16).padStart(4, '0')).join(''));
}

/** Whether a text looks as it is. */
export function isPlain(text: string): boolean {
  return text.search(DECEPTIVE) < 0;
}

/** Attributes that are shown or read aloud; the values of inputs stay as they are. */
const SHOWN = ['title', 'aria-label', 'aria-valuetext'];

/**
 * Makes every text of the page visible in this sense, whoever wrote it: names, messages and values come from
 * many places, and none can be forgotten here.
 */
export function showTextsAsTheyAre(): void {
  const next = options.vnode;
  options.vnode = (vnode: VNode) => {
    const { type, props } = vnode as unknown as { type: unknown; props: string | number | Record<string, unknown> };
    if (typeof props === 'string') {
      // a text has no type, and itself as its properties
      (vnode as unknown as { props: string }).props = visible(props);
    } else if (typeof type === 'string' && typeof props === 'object') {
      for (const name of SHOWN) {
        const value = props[name];
        if (typeof value === 'string') {
          props[name] = visible(value);
        }
      }
    }
    next?.(vnode);
  };
}
