import { isPlain, visible } from './text';
import type { Json } from './types';

/** A line of an object as YAML, with the path of the field that begins on it. */
export interface Line {
  text: string;
  /** Names of fields and places in lists, from the top. */
  path: (string | number)[];
}

/** Texts that YAML 1.1 or 1.2 reads as something else than a text. */
const SPECIAL = /^(?:~|null|true|false|yes|no|on|off|y|n|[-+]?[.\d][\d_.,:eExXoa-fA-F+-]*|[-+]?\.(?:inf|nan)|\d{4}-\d\d?-\d\d?.*|=|<<)$/i;
/** Texts that need no quotes: no indicator at the beginning, no ": " or " #" inside. */
const PLAIN = /^[A-Za-z0-9_./$(][A-Za-z0-9_./$()@%^*+=~;<>!?&|,:' -]*$/;
/** Texts that may stand as lines of their own: printable, and no space at the end of a line. */
const BLOCK = /^[^\s][\t\n\x20-\x7e\u00a0-\ud7ff\ue000-\ufffd]*$/u;

function scalar(value: string | number | boolean | null): string {
  if (typeof value !== 'string') {
    return String(value);
  }
  const plain = PLAIN.test(value) && !SPECIAL.test(value) && !/: |:$| #|[ ]$/.test(value);
  // a JSON string is a double-quoted scalar of YAML
  return plain ? value : visible(JSON.stringify(value));
}

/** An object as YAML that reads back as the same object. */
export function toYaml(value: Json): string {
  return linesOf(value)
    .map((line) => line.text)
    .join('\n') + '\n';
}

/** The lines of an object as YAML. */
export function linesOf(value: Json): Line[] {
  const lines: Line[] = [];
  write(value, '', [], '', lines);
  return lines;
}

/**
 * @param indent of the lines after the first
 * @param begin what stands before the value on its first line
 */
function write(value: Json, indent: string, path: (string | number)[], begin: string, lines: Line[]): void {
  if (Array.isArray(value) && value.length) {
    value.forEach((item, place) => {
      const at = [...path, place];
      if (isFull(item)) {
        const from = lines.length;
        write(item, indent + '  ', at, '', lines);
        const first = lines[from]!;
        first.text = `${indent}- ${first.text.slice(indent.length + 2)}`;
      } else {
        leaf(item, indent + '  ', at, `${indent}- `, lines);
      }
    });
    return;
  }
  if (isFull(value) && !Array.isArray(value)) {
    for (const [key, item] of Object.entries(value as Record<string, Json>)) {
      const at = [...path, key];
      const name = `${indent}${scalar(key)}:`;
      if (isFull(item)) {
        lines.push({ text: name, path: at });
        // items of a list are not indented, as kubectl prints them
        write(item, Array.isArray(item) ? indent : indent + '  ', at, '', lines);
      } else {
        leaf(item, indent + '  ', at, name + ' ', lines);
      }
    }
    return;
  }
  leaf(value, indent, path, begin, lines);
}

/** A value that takes lines of its own. */
function isFull(value: Json): boolean {
  return typeof value === 'object' && value !== null && (Array.isArray(value) ? value.length : Object.keys(value).length) > 0;
}

function leaf(value: Json, indent: string, path: (string | number)[], begin: string, lines: Line[]): void {
  if (typeof value === 'string' && value.includes('\n') && BLOCK.test(value) && isPlain(value) && !/[ \t](?:\n|$)/.test(value)) {
    const ends = /\n*$/.exec(value)![0].length;
    lines.push({ text: begin + (ends === 0 ? '|-' : ends === 1 ? '|' : '|+'), path });
    const body = ends === 0 ? value : value.slice(0, -1);
    for (const line of body.split('\n')) {
      lines.push({ text: line ? indent + line : '', path });
    }
    return;
  }
  const text =
    typeof value === 'object' && value !== null ? (Array.isArray(value) ? '[]' : '{}') : scalar(value as string | number | boolean | null);
  lines.push({ text: begin + text, path });
}
