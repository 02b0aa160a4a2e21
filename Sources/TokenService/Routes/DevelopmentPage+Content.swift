// Written by scripts/embed-web.py from web/development.
// swift-format-ignore-file

extension DevelopmentPage {
    static let scriptDigest = "sha256-hQu+rQBTYiai6dspshk5eAxkjNUNAGPqfxGdt0B/F6g="
    static let styleDigest = "sha256-1Oev6hFi6ggdilLoJi3YO8wGcB67Sxe625IHcF+edro="
    static let content = #"""
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Fleet Token, development mode</title>
<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Ccircle cx='8' cy='8' r='7' fill='%231a6be0'/%3E%3C/svg%3E">
<style>
:root {
  --ground: #eef1f5; --surface: #fff; --raised: #f5f7fa; --edge: #d5dce4; --border: #7b8794; --text: #17202b; --soft: #4d5a69;
  --accent: #1456c0; --on-accent: #fff; --bad: #b3261e; color-scheme: light dark;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #161c24; --surface: #1b232d; --raised: #242e3a; --edge: #364352; --border: #8392a3; --text: #eef2f6; --soft: #aab6c4;
    --accent: #8ab8ff; --on-accent: #0b1b33; --bad: #ff9a93;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); font: 16px/1.5 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
main { max-width: 720px; margin: 0 auto; padding: 40px 16px; }
h1 { margin: 0 0 8px; font-size: 26px; letter-spacing: -0.01em; }
h2 { margin: 0; font-size: 16px; }
p { margin: 0 0 16px; color: var(--soft); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
form, section { background: var(--surface); border: 1px solid var(--edge); border-radius: 16px; padding: 18px; margin-top: 16px; }
form { display: flex; flex-wrap: wrap; gap: 12px; align-items: start; }
form > div { flex: 1 1 190px; }
form > div:first-child { flex-basis: 240px; }
form > button { margin-top: 21px; }
label { display: block; color: var(--soft); font-size: 14px; }
select, input, button { font: inherit; color: inherit; min-height: 44px; border: 1px solid var(--border); border-radius: 10px; background: var(--surface); padding: 0 14px; width: 100%; }
button { cursor: pointer; font-weight: 600; width: auto; white-space: nowrap; }
button.primary { background: var(--accent); color: var(--on-accent); border-color: var(--accent); }
input[aria-invalid] { border: 2px solid var(--bad); }
.row { display: flex; gap: 12px; align-items: center; justify-content: space-between; }
.row + .row, h2 + .row { margin-top: 12px; }
pre { margin: 12px 0 0; padding: 14px; border-radius: 10px; background: var(--raised); white-space: pre-wrap; overflow-wrap: anywhere; font: 13.5px/1.55 ui-monospace, Menlo, "DejaVu Sans Mono", monospace; }
.row pre { flex: 1; margin: 0; }
#message, .problem { color: var(--bad); margin: 6px 0 0; font-size: 14px; }
#message { flex-basis: 100%; margin: 0; }
#claims [data-time]::after { content: "  " attr(data-time); color: var(--soft); font-family: system-ui, sans-serif; }
:is(#message, .problem, #life):empty { display: none; }
#life { color: var(--soft); font-size: 14px; }
pre span { display: inline-block; max-width: 100%; }
#claims span { display: inline; }
code { font: 14px ui-monospace, Menlo, "DejaVu Sans Mono", monospace; }
#announcer { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
[hidden] { display: none !important; }
@media (max-width: 600px) { form > div { flex-basis: 100%; } form > button { margin-top: 0; } .row { flex-wrap: wrap; } .row pre { flex-basis: 100%; } }
</style>
</head>
<body>
<main>
  <h1>Fleet Token, development mode</h1>
  <p>This service mints tokens for Google's Consumer and Driver SDKs. In development mode it runs on this machine only and
  mints any of them. Google accepts none, unless the service was started with a real service account.</p>
  <form id="form">
    <div><label for="kind">Kind of token</label>
      <select id="kind">
        <option value="consumer" data-id="Trip ID" data-example="trip-1">consumer: a rider</option>
        <option value="driver" data-id="Vehicle ID" data-example="vehicle-1">driver</option>
        <option value="delivery_driver" data-id="Delivery vehicle ID" data-example="van-1">delivery_driver: a courier</option>
        <option value="trusted_delivery_driver" data-id="Delivery vehicle ID" data-example="van-1" data-task="task-1">trusted_delivery_driver</option>
        <option value="delivery_consumer" data-id="Tracking ID" data-example="parcel-1">delivery_consumer: a recipient</option>
        <option value="delivery_task" data-id="Task ID" data-example="task-1">delivery_task: a recipient</option>
        <option value="server">server: a backend</option>
        <option value="fleet_reader">fleet_reader: a backend</option>
        <option value="delivery_server">delivery_server: a backend</option>
      </select></div>
    <div id="id-field"><label for="id" id="id-label">Trip ID</label>
      <input id="id" value="trip-1" autocomplete="off" spellcheck="false" autocapitalize="off" dir="auto" aria-describedby="id-problem">
      <p id="id-problem" class="problem" role="alert"></p></div>
    <div id="task-field" hidden><label for="task">Task ID (optional)</label>
      <input id="task" autocomplete="off" spellcheck="false" autocapitalize="off" dir="auto" aria-describedby="task-problem">
      <p id="task-problem" class="problem" role="alert"></p></div>
    <button class="primary">Get a token</button>
    <p id="message" role="alert"></p>
  </form>
  <section id="result" hidden aria-labelledby="claims-title">
    <div class="row"><h2 id="claims-title">Claims</h2><span id="life"></span><button type="button" id="copy">Copy the token</button></div>
    <pre id="claims" tabindex="0" aria-label="Claims"></pre>
  </section>
  <section aria-labelledby="commands-title">
    <h2 id="commands-title">The same on the command line</h2>
    <div class="row"><pre id="curl" tabindex="0" aria-label="curl"></pre><button type="button" data-copies="curl" aria-label="Copy the curl line">Copy</button></div>
    <div class="row"><pre id="tokenctl" tabindex="0" aria-label="tokenctl"></pre><button type="button" data-copies="tokenctl" aria-label="Copy the tokenctl line">Copy</button></div>
  </section>
</main>
<p id="announcer" role="status" aria-live="polite"></p>
<script type="module">
const part = (id) => document.getElementById(id);
/** The token, in memory only, and when it expires. */
let token;
let expiry;

const requested = () => {
  const { value: kind, dataset } = part('kind').selectedOptions[0];
  return { kind, id: dataset.id ? part('id').value : undefined, task: (dataset.task && part('task').value) || undefined };
};
const path = ({ kind, id, task }) => `/token/${kind}${id === undefined ? '' : `/${encodeURIComponent(id)}`}`
  + (task === undefined ? '' : `?taskId=${encodeURIComponent(task)}`);
/** Quotes a word for a shell, if it needs that. */
const quoted = (word) => /^[A-Za-z0-9._~@=+:\/%-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** Shows a command that breaks between its words, and a long word after its slashes. */
function showCommand(element, words) {
  element.replaceChildren(...words.flatMap((word, index) => {
    const span = document.createElement('span');
    span.append(...word.split(/(?<=\/)/).flatMap((part) => [part, document.createElement('wbr')]));
    return index ? [' ', span] : [span];
  }));
}

function describe() {
  const request = requested();
  // A command without an ID would not work.
  if (request.id === '') request.id = part('kind').selectedOptions[0].dataset.example;
  showCommand(part('curl'), ['curl', quoted(location.origin + path(request))]);
  const options = [['id', request.id], ['task-id', request.task]].filter(([, value]) => value !== undefined)
    .flatMap(([name, value]) => [`--${name}`, quoted(value)]);
  showCommand(part('tokenctl'), ['tokenctl', 'fetch', '--server', location.origin, '--kind', request.kind, ...options]);
}

function forget() {
  token = expiry = undefined;
  part('result').hidden = true;
  for (const name of ['id-problem', 'task-problem', 'message']) part(name).textContent = '';
  for (const name of ['id', 'task']) part(name).removeAttribute('aria-invalid');
}

/** Shows a refusal beside the field that it is about. */
function refuse(message, reason) {
  const isID = ['INVALID_ID', 'MISSING_ID'].includes(reason);
  const letters = message.includes('ASCII') ? /^[A-Za-z0-9._~@=+$!()-]{1,64}$/ : /^[\p{L}\p{Nd}._~@=+$!()-]{1,64}$/u;
  const field = !isID ? undefined : requested().task !== undefined && letters.test(part('id').value) ? 'task' : 'id';
  part(field ? `${field}-problem` : 'message').textContent = message;
  if (!field) return;
  part(field).setAttribute('aria-invalid', 'true');
  part(field).focus();
}

function tell(text) {
  part('announcer').textContent = text;
}

function age() {
  if (expiry === undefined) return;
  const left = Math.max(0, Math.floor((expiry - Date.now()) / 1000));
  const time = new Date(expiry).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', second: '2-digit' });
  part('life').textContent = left ? `expires at ${time}, in ${Math.floor(left / 60)} min ${left % 60} s` : 'expired';
}

/** Shows claims as JSON, with the times in words beside them. */
function show(jwt) {
  const bytes = Uint8Array.from(atob(jwt.split('.')[1].replaceAll('-', '+').replaceAll('_', '/')), (sign) => sign.charCodeAt(0));
  const lines = JSON.stringify(JSON.parse(new TextDecoder().decode(bytes)), null, 2).split('\n');
  part('claims').replaceChildren(...lines.map((line, index) => {
    const element = document.createElement('span');
    element.textContent = index + 1 < lines.length ? `${line}\n` : line;
    const [, seconds] = /^ {2}"(?:iat|exp|nbf)": (\d+)/.exec(line) ?? [];
    if (seconds) {
      element.textContent = line;
      element.dataset.time = new Date(seconds * 1000).toLocaleString([], { dateStyle: 'medium', timeStyle: 'medium' });
    }
    return seconds ? [element, '\n'] : [element];
  }).flat());
}

async function request(event) {
  event.preventDefault();
  forget();
  try {
    const response = await fetch(path(requested()), { cache: 'no-store', redirect: 'error', referrerPolicy: 'no-referrer' });
    const body = await response.json();
    if (!response.ok) {
      refuse(body.error?.message ?? `HTTP status ${response.status}.`, body.error?.details?.[0]?.reason);
      return;
    }
    token = body.token;
    expiry = Date.now() + body.expiresInSeconds * 1000;
    show(token);
    part('result').hidden = false;
    age();
    tell('A token was issued.');
  } catch (error) {
    refuse(error instanceof TypeError ? 'The service is unreachable.' : error.message);
  }
}

async function copy(text, button) {
  const name = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
  } catch {
    button.textContent = 'Not allowed';
  }
  tell(button.textContent);
  setTimeout(() => { button.textContent = name; }, 1500);
}

part('form').addEventListener('submit', request);
part('kind').addEventListener('change', () => {
  const { id, example, task } = part('kind').selectedOptions[0].dataset;
  part('id-field').hidden = id === undefined;
  part('id-label').textContent = id ?? '';
  part('id').value = example ?? '';
  part('task-field').hidden = task === undefined;
  part('task').value = task ?? '';
  forget();
  describe();
});
for (const name of ['id', 'task']) part(name).addEventListener('input', () => { forget(); describe(); });
part('copy').addEventListener('click', (event) => copy(token, event.currentTarget));
for (const button of document.querySelectorAll('[data-copies]')) {
  button.addEventListener('click', () => copy(part(button.dataset.copies).textContent, button));
}
setInterval(age, 1000);
describe();
</script>
</body>
</html>

"""#
}
