import { htmlTargets } from "@/app/_lib/html-targets";
import { keyed } from "@/app/_lib/keyed";
import { ReadPart } from "@/app/_ui/read-part";
import { SafeText } from "@/app/_ui/safe-text";
import { Listing } from "./listing";

/** HTML is never rendered: first where it points and what it would load, then the source itself. */
export function HtmlSource({ html }: { html: string }) {
  const targets = htmlTargets(html);
  return (
    <ReadPart label="HTML">
      <h3 className="mb-1 text-text3">HTML, which most mail programs show instead of the text</h3>
      {targets.length > 0 ? (
        <ul className="mb-2 grid gap-1" aria-label="Addresses in the HTML">
          {keyed(targets).map(({ key, item: target }) => (
            <li key={key} className="flex gap-2">
              <span className="text-text3">points to</span>
              <SafeText text={target} oneLine mono />
            </li>
          ))}
        </ul>
      ) : null}
      <Listing text={html} label="HTML source" />
    </ReadPart>
  );
}
