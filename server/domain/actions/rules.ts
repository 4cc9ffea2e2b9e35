/** Every reason for which an argument is refused: the code on the wire and the sentence for people. */
export const ARGUMENT_RULES = {
  invalid: "is not what the action expects",
  invalid_type: "is missing or of the wrong type",
  invalid_value: "is not one of the values the action knows",
  invalid_format: "is not written as the action expects",
  invalid_union: "is of the wrong type",
  too_big: "is larger than the action allows",
  too_small: "is smaller than the action allows",
  unrecognized_keys: "is not an argument of this action",

  allow_list_malformed: "cannot be checked, since the grant's allow-list is malformed",
  text_malformed: "holds characters that have no place in text",
  too_deep: "is nested too deeply",

  url_malformed: "is not a plain absolute http or https URL",
  url_userinfo: "holds a user name or a password",
  url_fragment: "holds a fragment, which is never sent",
  url_backslash: "holds a backslash, which readers of URLs understand differently",
  url_host_not_plain: "writes its host in a way that hides which host it is",
  url_dot_segments: "holds dot segments in its path",
  url_encoded_separator: "holds encoded slashes, backslashes or dots, which servers understand differently",
  header_forbidden: "is a header that agents may not set",
  header_name: "is not a header name",
  header_value: "holds characters that have no place in a header",
  header_duplicate: "is given twice",
  body_without_effect: "is sent with a method that only reads",

  address_malformed: "is not a plain e-mail address",
  address_not_ascii: "holds letters outside ASCII; write the domain in punycode",
  mail_too_large: "makes the mail larger than allowed",

  method_not_allowed: "is not among the methods the grant allows",
  scheme_not_allowed: "is not among the schemes the grant allows",
  host_not_allowed: "is not among the hosts the grant allows",
  port_not_allowed: "is not among the ports the grant allows",
  path_not_allowed: "is not under a path the grant allows",
  header_not_allowed: "is not among the headers the grant allows",
  recipient_not_allowed: "is not among the recipients the grant allows",
  too_many_recipients: "has more recipients than the grant allows",
  not_editable: "cannot be edited",
  only_drop: "can only lose entries, in the order they stand",
  only_lower: "can only be lowered",
  nothing_edited: "are the same as before",
  mail_over_grant: "makes the mail larger than the grant allows",
} as const satisfies Record<string, string>;

export type ArgumentRule = keyof typeof ARGUMENT_RULES;

export const isArgumentRule = (value: unknown): value is ArgumentRule =>
  typeof value === "string" && Object.hasOwn(ARGUMENT_RULES, value);
