/**
 * What a text must hold for any rule of the second opinion to find something: for each of its rules the fixed part,
 * and the condition around it where the fixed part is common. A test holds this list against the rules themselves.
 */
export type Suspicion = { readonly anchor: string; readonly condition: RegExp };

const ANY = /(?:)/y;

const FIXED =
  "-----begin npm_ xoxb- xoxp- xapp- xoxa- xoxo- xoxr- hooks.slack.com/ shppa_ shpca_ shpat_ shpss_ ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ t3blbkfj sk-ant-api0 lin_api_ ops_ey";

export const SUSPICIONS: readonly Suspicion[] = [
  ...FIXED.split(" ").map((anchor) => ({ anchor, condition: ANY })),
  { anchor: "sg.", condition: /SG\.\w/y },
  { anchor: "secret", condition: /secret_?access_?key/iy },
  // User and password before the host, as in `https://u:p@host` and `mongodb://u:p@host`.
  { anchor: "://", condition: /:\/\/[^\s/]{3,520}@/y },
];
