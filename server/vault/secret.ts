import { inspect } from "node:util";

const SHOWN = "[secret]";

/**
 * A secret text that cannot be printed by accident: logging, joining, serialising or inspecting it gives `[secret]`.
 * Only connectors call `expose()`.
 */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  expose(): string {
    return this.#text;
  }

  toString(): string {
    return SHOWN;
  }

  toJSON(): string {
    return SHOWN;
  }

  [Symbol.toPrimitive](): string {
    return SHOWN;
  }

  [inspect.custom](): string {
    return SHOWN;
  }
}
