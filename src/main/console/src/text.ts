/**
 * Characters that show as nothing and change what is beside them: controls but tabs and ends of lines,
 * line separators, and those that turn the direction of writing (UAX #9), by which a text can look like
 * another.
 */
const DECEPTIVE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** A text with its deceptive characters as escapes of JSON. */
export function visible(text: string): string {
  return text.replace(DECEPTIVE, (c) => '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0'));
}

/** Whether a text looks as it is. */
export function isPlain(text: string): boolean {
  return text.search(DECEPTIVE) < 0;
}
