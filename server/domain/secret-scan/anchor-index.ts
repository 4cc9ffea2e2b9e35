/**
 * Finds every occurrence of many short ASCII texts, ignoring case, in one pass over a text (Aho and Corasick): the
 * time depends on the text's length alone, whatever the text holds and however many anchors there are.
 */
export class AnchorIndex<T> {
  private readonly width: number;
  /** Character code to column; column 0 is every character that no anchor holds. */
  private readonly columns = new Uint8Array(128);
  /** State after a character: `state * width + column`. */
  private readonly next: Uint16Array;
  private readonly ends: readonly (readonly Found<T>[])[];
  private readonly isEnd: Uint8Array;

  constructor(anchors: readonly (readonly [anchor: string, value: T])[]) {
    this.width = this.numberColumns(anchors.map(([anchor]) => anchor));
    const size = anchors.reduce((sum, [anchor]) => sum + anchor.length, 1);
    if (size > 0xffff) throw new RangeError("too many anchors");
    const next = new Uint16Array(size * this.width);
    const ends: Found<T>[][] = [[]];
    for (const [anchor, value] of anchors) this.plant(anchor, value, next, ends);
    this.next = next;
    this.ends = ends;
    this.joinSuffixes(next, ends);
    this.isEnd = Uint8Array.from(ends, (found) => (found.length > 0 ? 1 : 0));
  }

  /** Calls `visit` with the start of each occurrence, in the order of their ends, until it answers `false`. */
  visit(text: string, visit: (at: number, value: T) => boolean): void {
    const { next, columns, width, isEnd } = this;
    let state = 0;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      // Beyond ASCII there is no column, hence no state.
      state = next[state * width + (columns[code] ?? 0)] ?? 0;
      if (isEnd[state] === 1 && !this.report(state, i + 1, visit)) return;
    }
  }

  private report(state: number, end: number, visit: (at: number, value: T) => boolean): boolean {
    return (this.ends[state] ?? []).every(({ length, value }) => visit(end - length, value));
  }

  private numberColumns(anchors: readonly string[]): number {
    let width = 1;
    for (const char of new Set(anchors.join("").toLowerCase())) {
      const code = char.charCodeAt(0);
      if (code >= 128) throw new RangeError("anchors are ASCII");
      this.columns[code] = width;
      this.columns[char.toUpperCase().charCodeAt(0)] = width;
      width += 1;
    }
    return width;
  }

  private plant(anchor: string, value: T, next: Uint16Array, ends: Found<T>[][]): void {
    let state = 0;
    for (let i = 0; i < anchor.length; i++) {
      const slot = state * this.width + (this.columns[anchor.charCodeAt(i)] ?? 0);
      if (next[slot] === 0) next[slot] = ends.push([]) - 1;
      state = next[slot] ?? 0;
    }
    ends[state]?.push({ length: anchor.length, value });
  }

  // Breadth first, so that the state of every shorter suffix is complete before it is used.
  private joinSuffixes(next: Uint16Array, ends: Found<T>[][]): void {
    const suffixes = new Uint16Array(ends.length);
    const queue = [0];
    const join = (state: number, column: number) => {
      const slot = state * this.width + column;
      const child = next[slot] ?? 0;
      const suffix = state === 0 ? 0 : (next[(suffixes[state] ?? 0) * this.width + column] ?? 0);
      if (child === 0) {
        next[slot] = suffix;
        return;
      }
      suffixes[child] = suffix;
      ends[child]?.push(...(ends[suffix] ?? []));
      queue.push(child);
    };
    for (const state of queue) for (let column = 1; column < this.width; column++) join(state, column);
  }
}

type Found<T> = { readonly length: number; readonly value: T };
