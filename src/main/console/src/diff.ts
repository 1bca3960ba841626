/** A line of two texts: in both, or only in the one before (-) or after (+). */
export interface DiffLine {
  sign: ' ' | '-' | '+';
  text: string;
}

/** The shortest edit from one text to another, by lines (Myers, 1986). */
export function diff(before: string[], after: string[]): DiffLine[] {
  const max = before.length + after.length;
  const reach = new Int32Array(2 * max + 2);
  const traces: Int32Array[] = [];
  for (let edits = 0; edits <= max; edits++) {
    traces.push(reach.slice(max - edits, max + edits + 2));
    for (let k = -edits; k <= edits; k += 2) {
      const down = k === -edits || (k !== edits && reach[max + k - 1]! < reach[max + k + 1]!);
      let x = down ? reach[max + k + 1]! : reach[max + k - 1]! + 1;
      while (x < before.length && x - k < after.length && before[x] === after[x - k]) {
        x++;
      }
      reach[max + k] = x;
      if (x >= before.length && x - k >= after.length) {
        return walked(before, after, traces);
      }
    }
  }
  throw new Error('every two texts have a shortest edit');
}

function walked(before: string[], after: string[], traces: Int32Array[]): DiffLine[] {
  const lines: DiffLine[] = [];
  let x = before.length;
  let y = after.length;
  for (let edits = traces.length - 1; x > 0 || y > 0; edits--) {
    // the trace of this number of edits begins at the diagonal -edits
    const trace = traces[edits]!;
    const at = (k: number) => trace[k + edits] ?? 0;
    const k = x - y;
    const down = k === -edits || (k !== edits && at(k - 1) < at(k + 1));
    const from = down ? k + 1 : k - 1;
    const fromX = edits === 0 ? 0 : at(from);
    const fromY = edits === 0 ? 0 : fromX - from;
    while (x > Math.max(fromX, 0) && y > Math.max(fromY, 0) && before[x - 1] === after[y - 1]) {
      lines.push({ sign: ' ', text: before[x - 1]! });
      x--;
      y--;
    }
    if (edits > 0) {
      if (down) {
        lines.push({ sign: '+', text: after[--y]! });
      } else {
        lines.push({ sign: '-', text: before[--x]! });
      }
    }
  }
  return lines.reverse();
}

/** Only what changed, with some lines around it; undefined stands for what is left out. */
export function around(lines: DiffLine[], margin: number): (DiffLine | undefined)[] {
  const near = lines.map((_, place) => lines.slice(Math.max(0, place - margin), place + margin + 1).some((line) => line.sign !== ' '));
  const shown: (DiffLine | undefined)[] = [];
  lines.forEach((line, place) => {
    if (near[place]) {
      shown.push(line);
    } else if (shown.at(-1) !== undefined || shown.length === 0) {
      shown.push(undefined);
    }
  });
  return shown;
}
