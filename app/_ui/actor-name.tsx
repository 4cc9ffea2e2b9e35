import { SafeText } from "./safe-text";

export type ActorRef = { kind: "member" | "agent" | "system" | "anonymous"; name: string };

/** Who did something. Only members and agents have names of their own. */
export function ActorName({ actor }: { actor: ActorRef }) {
  if (actor.kind === "system") return <strong>Countersign</strong>;
  if (actor.kind === "anonymous") return <strong>Somebody not signed in</strong>;
  return (
    <strong>
      <SafeText text={actor.name} oneLine />
    </strong>
  );
}
