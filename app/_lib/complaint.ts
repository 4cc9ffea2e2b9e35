const SIZES: readonly (readonly [RegExp, (limit: string) => string])[] = [
  [/^Too small: expected string to have >=1 characters/, () => "Write something here."],
  [/^Too small: expected string to have >=(\d+) characters/, (limit) => `At least ${limit} characters.`],
  [/^Too big: expected string to have <=(\d+) characters/, (limit) => `At most ${limit} characters.`],
  [/^Too small: expected \w+ to be >=(-?\d+)/, (limit) => `At least ${limit}.`],
  [/^Too big: expected \w+ to be <=(-?\d+)/, (limit) => `At most ${limit}.`],
  [/^Too small: expected array to have >=1 items/, () => "Choose at least one."],
  [/^Invalid input: expected (?:int|number), received/, () => "Write a number."],
  [/^Invalid input: expected \w+, received undefined/, () => "This is needed."],
  [/^Invalid email/, () => "Write an e-mail address, such as ada@customer.example."],
];

/** A schema's complaint in a person's words, without the field's name in front: the reader sees the field. */
export function complaintWords(field: string, message: string): string {
  const text = message.startsWith(`${field}: `) ? message.slice(field.length + 2) : message;
  for (const [pattern, words] of SIZES) {
    const match = pattern.exec(text);
    if (match) return words(match[1] ?? "");
  }
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
