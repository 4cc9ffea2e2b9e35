// The demo's channel as a person would see it. Every text goes in as text: nothing that a message says is markup.

const EVERY_MS = 1_000;
const who = document.getElementById("who");
const state = document.getElementById("state");
const dialog = document.getElementById("reason-dialog");
const reason = document.getElementById("reason");

/** An element with text or children. */
function make(name, content = [], more = {}) {
  const element = Object.assign(document.createElement(name), more);
  element.append(...[content].flat());
  return element;
}

/** Slack's own spelling of times, links and people, as Slack would show it. */
function words(text) {
  return text
    .replaceAll(/<!date\^(\d+)\^[^|>]*\|[^>]*>/g, (_all, seconds) => new Date(seconds * 1_000).toLocaleString())
    .replaceAll(/<(?:https?:[^|>]*)\|([^>]*)>/g, "$1")
    .replaceAll(/<(https?:[^>]*)>/g, "$1")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}

const isWeb = (url) => /^https?:\/\//.test(url);

function richText({ elements }) {
  return elements.map((part) => {
    const texts = part.elements.map((one) => (one.type === "user" ? `@${one.user_id}` : one.text));
    if (part.type === "rich_text_preformatted") return make("pre", texts);
    const isTitle = part.elements.some((one) => one.style?.bold);
    return make("p", isTitle ? make("strong", texts) : texts);
  });
}

function button(element, message) {
  const text = element.text.text;
  if (element.url && isWeb(element.url)) {
    return make("a", text, { href: element.url, target: "_blank", rel: "noopener noreferrer", className: "button" });
  }
  const press = make("button", text, { type: "button", className: element.style ?? "" });
  press.addEventListener("click", () => void click(element, message, press));
  return press;
}

function drawBlock(block, message) {
  switch (block.type) {
    case "header":
      return [make("h3", words(block.text.text))];
    case "section":
      return [make("p", words(block.text?.text ?? ""))];
    case "context":
      return [make("p", words(block.elements.map(({ text }) => text).join(" ")), { className: "note" })];
    case "rich_text":
      return richText(block);
    case "actions":
      return [
        make(
          "p",
          block.elements.map((element) => button(element, message)),
          { className: "buttons" },
        ),
      ];
    default:
      return [];
  }
}

const postedAt = ({ ts }) =>
  make("time", new Date(Number(ts) * 1_000).toLocaleTimeString(), {
    dateTime: new Date(Number(ts) * 1_000).toISOString(),
  });

const drawFile = ({ name, content }) => make("details", [make("summary", name), make("pre", content)]);

function drawMessage(message, replies) {
  const blocks = message.blocks ?? [];
  const body =
    blocks.length === 0 ? [make("p", words(message.text))] : blocks.flatMap((block) => drawBlock(block, message));
  const below = replies.filter(({ thread_ts }) => thread_ts === message.ts).map((reply) => drawMessage(reply, []));
  const thread = below.length === 0 ? [] : [make("ol", below, { ariaLabel: "Thread" })];
  const only = message.onlyFor ? [make("p", "Only you can see this.", { className: "note" })] : [];
  const files = (message.files ?? []).map(drawFile);
  return make("li", [postedAt(message), ...only, ...body, ...files, ...thread]);
}

for (const id of ["keep", "send"]) document.getElementById(id).addEventListener("click", () => dialog.close(id));

function askReason() {
  reason.value = "";
  dialog.returnValue = "keep";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "send" ? reason.value.trim() : null), {
      once: true,
    });
  });
}

async function click(element, message, press) {
  const given = element.action_id === "approval.reject" ? await askReason() : "";
  if (given === null) return;
  press.disabled = true;
  const body = { ts: message.ts, actionId: element.action_id, userId: who.value, ...(given ? { reason: given } : {}) };
  const headers = { "content-type": "application/json" };
  await fetch("/_control/click", { method: "POST", headers, body: JSON.stringify(body) });
  await read();
}

let shown = "";

function drawPeople(people) {
  if (who.options.length > 0) return;
  who.append(...people.map((id) => make("option", id)));
  who.addEventListener("change", () => {
    shown = "";
    void read();
  });
}

/** Draws only what changed: a button must not be taken from under a pointer. */
function draw({ people, messages, replies, alerts, ephemeral }) {
  drawPeople(people);
  const own = ephemeral.filter(({ onlyFor }) => onlyFor === who.value);
  const next = JSON.stringify([messages, replies, alerts, own]);
  if (next === shown) return;
  shown = next;
  const newest = [...messages, ...own].sort((a, b) => Number(b.ts) - Number(a.ts));
  document.getElementById("messages").replaceChildren(...newest.map((message) => drawMessage(message, replies)));
  document.getElementById("alerts").replaceChildren(...alerts.toReversed().map((message) => drawMessage(message, [])));
  state.textContent = newest.length === 0 ? "Nothing was posted yet." : "";
}

async function read() {
  try {
    draw(await (await fetch("/_control/messages")).json());
  } catch {
    state.textContent = "The demo does not answer. It may have stopped.";
  }
}

await read();
setInterval(() => void read(), EVERY_MS);
