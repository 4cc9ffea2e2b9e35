import { changePassword } from "@/server/services/identity/self/change-password";
import { getSelf, selfSchema } from "@/server/services/identity/self/get-self";
import { changeMails, getMails, mailsChangedSchema, mailsSchema } from "@/server/services/identity/self/mails";
import {
  listSignIns,
  revokedCountSchema,
  revokedSchema,
  revokeOtherSignIns,
  revokeSignIn,
  signInsSchema,
} from "@/server/services/identity/self/sign-ins";
import { procedureOf, router } from "@/server/trpc/init";

const tags = ["Me"] as const;

export const meRouter = router({
  get: procedureOf(getSelf, {
    method: "GET",
    path: "/me",
    summary: "Say whose credential this is",
    tags,
    output: selfSchema,
  }),
  signIns: procedureOf(listSignIns, {
    method: "GET",
    path: "/me/sign-ins",
    summary: "List your sign-ins",
    tags,
    output: signInsSchema,
  }),
  revokeSignIn: procedureOf(revokeSignIn, {
    method: "POST",
    path: "/me/sign-ins/{id}/revoke",
    summary: "End one of your sign-ins",
    tags,
    output: revokedSchema,
  }),
  revokeOtherSignIns: procedureOf(revokeOtherSignIns, {
    method: "POST",
    path: "/me/sign-ins/revoke-others",
    summary: "End all of your sign-ins but this one",
    tags,
    output: revokedCountSchema,
  }),
  mails: procedureOf(getMails, {
    method: "GET",
    path: "/me/mails",
    summary: "Say which mails you get",
    tags,
    output: mailsSchema,
  }),
  changeMails: procedureOf(changeMails, {
    method: "POST",
    path: "/me/mails",
    summary: "Choose which mails you get",
    tags,
    output: mailsChangedSchema,
  }),
  changePassword: procedureOf(changePassword, {
    method: "POST",
    path: "/me/password",
    summary: "Change your password",
    tags,
    output: revokedCountSchema,
  }),
});
