/** What people are told about: ids only; whoever tells them reads the rows. */
export type Notice =
  | {
      readonly kind: "approval_requested" | "approval_reminder" | "approval_escalated" | "approval_ended";
      readonly organizationId: string;
      readonly approvalId: string;
      readonly requestId: string;
    }
  | { readonly kind: "outcome_unknown"; readonly organizationId: string; readonly requestId: string };

/** A way to reach people outside the web app. It may be called more than once for the same notice. */
export type Channel = { readonly name: string; readonly tell: (notice: Notice) => Promise<void> };
