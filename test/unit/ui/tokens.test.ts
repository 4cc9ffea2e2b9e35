import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const css = readFileSync("app/tokens.css", "utf8");

function theme(selector: string): Map<string, string> {
  const at = css.indexOf(selector);
  const block = css.slice(at, css.indexOf("}", at));
  return new Map([...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map((match) => [match[1] ?? "", match[2] ?? ""]));
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].toSorted((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

const GROUNDS = ["canvas", "surface", "raised", "sunken", "selected"];
const TEXTS = ["text", "text2", "text3", "ink", "ok", "wait", "stop", "info", "taint"];

describe.each(['[data-theme="light"]', '[data-theme="dark"]'])("the theme %s", (selector) => {
  const tokens = theme(selector);
  const get = (name: string) => tokens.get(name) ?? "#000000";

  it.each(TEXTS)("has %s readable on every ground and on its own tint", (name) => {
    const tint = tokens.get(`${name}-tint`);
    for (const ground of [...GROUNDS.map(get), ...(tint ? [tint] : [])]) {
      expect(contrast(get(name), ground)).toBeGreaterThanOrEqual(4.5);
    }
  });
  it("has readable text on both fills", () => {
    expect(contrast(get("on-ink"), get("ink-solid"))).toBeGreaterThanOrEqual(4.5);
    expect(contrast(get("on-stop"), get("stop-solid"))).toBeGreaterThanOrEqual(4.5);
  });
  it("has edges of controls that can be seen", () => {
    for (const ground of ["canvas", "surface"]) expect(contrast(get("edge"), get(ground))).toBeGreaterThanOrEqual(3);
  });
});

it("the system's dark theme is the chosen dark theme", () => {
  expect(theme(":root:not([data-theme])")).toEqual(theme('[data-theme="dark"]'));
});
