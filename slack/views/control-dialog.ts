import type { AgentNamed, ControlAsked } from "@/server/services/slack/control-from-slack";
import { type Block, data, sentence } from "@/slack/card/blocks";
import { visibleLine } from "@/slack/card/visible-text";

export const CONTROL_DIALOG = "control.reason";

const words = (text: string) => ({ type: "plain_text" as const, text, emoji: false });

const DIALOGS = {
  freeze: {
    title: "Freeze all agents",
    submit: "Freeze",
    about: "No effect of any agent starts. Only an owner lifts it, in the web app.",
  },
  pause: { title: "Pause an agent", submit: "Pause", about: "Nothing that it asks for starts, reads included." },
  resume: { title: "Resume an agent", submit: "Resume", about: "Its calls are checked and run again." },
} as const;

/** The dialog that asks why something is stopped or let go on. It carries ids; the role is read again when it is sent. */
export function controlDialog(asked: ControlAsked, agent: AgentNamed | null) {
  const { title, submit, about } = DIALOGS[asked.what];
  const whom: Block[] = agent === null ? [] : [data("Agent", `${visibleLine(agent.name)}\n${agent.id}`)];
  return {
    type: "modal" as const,
    callback_id: CONTROL_DIALOG,
    private_metadata: JSON.stringify(asked),
    title: words(title),
    submit: words(submit),
    close: words("Cancel"),
    blocks: [
      ...whom,
      sentence(about),
      {
        type: "input" as const,
        block_id: "reason",
        label: words("Why? It is kept with the change."),
        element: {
          type: "plain_text_input" as const,
          action_id: "reason",
          multiline: true,
          min_length: 1,
          max_length: 1_000,
        },
      },
    ],
  };
}
