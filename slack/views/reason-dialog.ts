export const REASON_DIALOG = "approval.reject.reason";

const words = (text: string) => ({ type: "plain_text" as const, text, emoji: false });

/** The dialog that asks why. It carries ids; what is decided is read again when it is sent. */
export const reasonDialog = (shown: { approval: string; digest: string; channel: string }) => ({
  type: "modal" as const,
  callback_id: REASON_DIALOG,
  private_metadata: JSON.stringify(shown),
  title: words("Reject"),
  submit: words("Reject"),
  close: words("Cancel"),
  blocks: [
    {
      type: "input" as const,
      block_id: "reason",
      label: words("Why? The agent and its owner are told."),
      element: {
        type: "plain_text_input" as const,
        action_id: "reason",
        multiline: true,
        min_length: 1,
        max_length: 1_000,
      },
    },
  ],
});
