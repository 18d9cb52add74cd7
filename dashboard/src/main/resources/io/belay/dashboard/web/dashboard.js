// The page of all locks. Names of locks and clients are strangers' text: they get into the page as text, and in no other way.
"use strict";

const $ = (id) => document.getElementById(id);
const pageSecret = document.querySelector("meta[name=belay-page]").content;
const mayEnd = document.querySelector("meta[name=belay-may-end]").content === "true";
const root = document.querySelector("meta[name=belay-root]").content;
// A page of its own server has a stream; one of somebody else's asks again and again.
const hasStream = root === "/";
const server = hasStream ? "dashboard" : "application";
const SAMPLES = 80;

// ---- Words ----

// Characters that draw nothing, or turn the direction of what follows, would make one name look like another.
const shown = (text) => String(text).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu, "\ufffd");

function duration(millis) {
  const seconds = millis / 1000;
  if (seconds < 10) return seconds.toFixed(1) + " s";
  if (seconds < 60) return Math.floor(seconds) + " s";
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return minutes + " min " + Math.floor(seconds % 60) + " s";
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? hours + " h " + (minutes % 60) + " min" : Math.floor(hours / 24) + " days";
}

const clock = (millis) => new Date(millis).toLocaleTimeString("en-GB");
const count = (number) => number.toLocaleString("en-GB");
const plural = (number, word) => count(number) + " " + word + (number === 1 ? "" : "s");

// ---- Elements ----

function make(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

function put(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function draw(tag, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

function spark(svg, samples, width, height) {
  const most = Math.max(1, ...samples);
  const step = width / (SAMPLES - 1);
  const points = samples.map((value, i) =>
    (width - (samples.length - 1 - i) * step).toFixed(1) + "," + (height - 1 - (value / most) * (height - 3)).toFixed(1));
  const first = (width - (samples.length - 1) * step).toFixed(1);
  let [area, line] = svg.children;
  if (!area) {
    area = svg.appendChild(draw("polygon", {}));
    line = svg.appendChild(draw("polyline", {}));
  }
  area.setAttribute("points", first + "," + height + " " + points.join(" ") + " " + width + "," + height);
  line.setAttribute("points", points.join(" "));
}

function remember(samples, value) {
  samples.push(value);
  if (samples.length > SAMPLES) samples.shift();
}

// ---- The stream ----

const PATIENCE = 10000;
let open = "";
let search = "";
let stream = null;
let lost = 0;
// When the last frame came, and when one was asked for anew as none came.
let heard = Date.now();
let asked = 0;

// A login that stands before this page leads elsewhere, and what is there answers nothing of what was asked.
const direct = () => ({ redirect: "manual", signal: AbortSignal.timeout(PATIENCE) });
const isLedAway = (answer) => answer.type === "opaqueredirect";

function connect() {
  if (!hasStream) {
    poll(++turn);
    return;
  }
  if (stream) stream.close();
  const from = new EventSource(root + "events?" + new URLSearchParams({ search, open }));
  let refused = "";
  stream = from;
  from.onmessage = (event) => {
    lost = 0;
    render(JSON.parse(event.data));
  };
  from.addEventListener("refused", (event) => {
    refused = event.data;
  });
  from.onerror = () => {
    lost = lost || Date.now();
    state("away", shown(refused) || "No answer from the " + server + " since " + clock(lost), "");
    refused = "";
    if (from.readyState === EventSource.CLOSED && stream === from) setTimeout(again, 2000, from);
  };
}

// A connection may break without a word, and a computer sleep: what is shown is not taken for what there is now.
setInterval(() => {
  const now = Date.now();
  if (now - Math.max(heard, asked) < PATIENCE) return;
  asked = now;
  if (!lost) state("away", "No news from the " + server + " since " + clock(heard), "");
  connect();
}, 1000);

const PAUSE = 250;
// A frame is followed by the next one when the store is read again.
const READING = 3 * PAUSE;
let turn = 0;
const sleep = (millis) => new Promise((done) => setTimeout(done, millis));

// Several applications may answer at one address, each with frames and changes of its own: one is followed for as long as it answers.
let instance = "";
const isFollowed = (frame) => !instance || frame.instance === instance || Date.now() - heard > 3000;

async function poll(mine) {
  let after = "";
  while (mine === turn) {
    let refused = "";
    let pause = PAUSE;
    try {
      const answer = await fetch(root + "frame?" + new URLSearchParams({ search, open, after }), { cache: "no-store", ...direct() });
      if (mine !== turn) return;
      if (isLedAway(answer) || answer.status === 401 || answer.status === 403) {
        location.reload();
        return;
      }
      if (answer.status === 200) {
        const told = await answer.json();
        if (mine !== turn) return;
        if (isFollowed(told.frame)) {
          after = told.number;
          pause = READING;
          render(told.frame);
        }
      } else if (answer.status !== 204) {
        if ((answer.headers.get("Content-Type") || "").startsWith("text/plain")) refused = await answer.text();
        throw new Error("status " + answer.status);
      }
      lost = 0;
    } catch (e) {
      if (mine !== turn) return;
      lost = lost || Date.now();
      after = "";
      state("away", shown(refused.trim()) || "No answer from the " + server + " since " + clock(lost), "");
    }
    await sleep(lost || document.hidden ? 4 * PAUSE : pause);
  }
}

// A stream that was refused is not tried again by the browser; perhaps there is a token to be shown.
async function again(from) {
  if (stream !== from) return;
  try {
    const answer = await fetch(root, direct());
    if (isLedAway(answer) || answer.status === 401) {
      location.reload();
      return;
    }
  } catch (e) {
    // It is away, as the page says.
  }
  if (stream === from) connect();
}

function state(name, text, time) {
  $("state").dataset.state = name;
  put($("state-text"), text);
  put($("state-time"), time);
}

// ---- Rendering ----

const history = { locks: [], waited: [], waiters: [], longest: [] };
let lastReading = 0;

function render(frame) {
  const isOther = frame.instance !== instance;
  instance = frame.instance;
  heard = Date.now();
  const away = frame.awaySinceMillis !== undefined;
  if (away) state("away", "The store has not answered since " + clock(frame.awaySinceMillis), "");
  else state("live", "Live", clock(frame.atMillis));
  $("why").hidden = !away;
  if (away) put($("why"), "What is shown is of that moment. " + shown(frame.awayWhy));
  const isNew = frame.atMillis !== lastReading;
  lastReading = frame.atMillis;
  renderTotals(frame.totals, isNew);
  renderNote(frame);
  renderRings(frame.rings);
  renderRows(frame, isNew);
  renderChanges(frame.changes, isOther);
  renderFindings(frame.findings, frame.doctor);
  renderClients(frame.clients, isNew);
}

function renderTotals(totals, isNew) {
  put($("locks"), count(totals.locks));
  put($("waited"), count(totals.waited));
  put($("waiters"), count(totals.waiters));
  put($("longest"), totals.longestWaitMillis === 0 ? "none" : duration(totals.longestWaitMillis));
  if (!isNew) return;
  remember(history.locks, totals.locks);
  remember(history.waited, totals.waited);
  remember(history.waiters, totals.waiters);
  remember(history.longest, totals.longestWaitMillis);
  for (const name of Object.keys(history)) spark($(name + "-spark"), history[name], 120, 28);
}

function renderNote(frame) {
  const parts = [];
  if (frame.reading.large) {
    parts.push("There are many names, which are read in turn: " + count(frame.reading.passed)
      + (frame.reading.names < 0 ? "" : " of " + count(frame.reading.names))
      + " in this round. What is listed, open or searched for is read each second.");
  }
  if (frame.found > frame.rows.length) parts.push("The first " + count(frame.rows.length) + " of " + count(frame.found) + " are listed.");
  if (frame.missed) parts.push("Not all is known: " + shown(frame.missed));
  $("note").hidden = parts.length === 0;
  put($("note"), parts.join(" "));
  $("empty").hidden = frame.rows.length > 0;
  put($("empty"), search ? "No lock in use has a name that begins so."
    : "Nobody holds or waits for any lock" + (frame.missed ? " that can be read." : "."));
}

// ---- Rows ----

const rows = new Map();
let lastRow = 0;

function newRow(name) {
  const item = make("li", "lock");
  const button = make("button");
  const panel = make("div", "panel");
  panel.id = "panel-" + ++lastRow;
  button.type = "button";
  button.setAttribute("aria-expanded", "false");
  button.setAttribute("aria-controls", panel.id);
  panel.hidden = true;
  const cell = (className, label) => {
    const outer = button.appendChild(make("span", className));
    outer.appendChild(make("span", "label", label));
    return outer.appendChild(make("span", "value"));
  };
  const row = {
    item, button, panel, samples: [],
    name: button.appendChild(make("span", "name")),
    holder: null, place: null, marks: null,
  };
  row.name.appendChild(make("span", "", shown(name)));
  const who = button.appendChild(make("span", "who"));
  who.appendChild(make("span", "label", " held by "));
  row.holder = who.appendChild(make("span"));
  row.marks = who.appendChild(make("span"));
  row.place = who.appendChild(make("small"));
  row.held = cell("number shown", " held ");
  row.waiters = cell("number shown", " waiters ");
  row.wait = cell("number shown", " longest wait ");
  row.spark = button.appendChild(draw("svg", { class: "spark", viewBox: "0 0 100 24", preserveAspectRatio: "none", "aria-hidden": "true" }));
  button.addEventListener("click", () => toggle(name));
  item.append(button, panel);
  return row;
}

function renderRows(frame, isNew) {
  const list = $("list");
  const focused = document.activeElement;
  const listed = new Set();
  // What is open stays where it is looked at, also when nobody uses it any more.
  const shownRows = frame.rows.slice();
  if (open && frame.open && !shownRows.some((lock) => lock.name === open)) {
    shownRows.push(frame.open.row || { name: open, holders: 0, holder: { client: "", place: "", thread: "", behalf: "" },
      waiters: 0, waitMillis: 0, silent: false, readAgoMillis: 0 });
  }
  shownRows.forEach((lock, place) => {
    listed.add(lock.name);
    let row = rows.get(lock.name);
    if (!row) {
      row = newRow(lock.name);
      rows.set(lock.name, row);
    }
    renderRow(row, lock, isNew);
    if (list.children[place] !== row.item) list.insertBefore(row.item, list.children[place] || null);
  });
  for (const [name, row] of rows) {
    if (!listed.has(name)) {
      row.item.remove();
      rows.delete(name);
    }
  }
  // To move an element takes the focus from it.
  if (focused && focused !== document.activeElement && list.contains(focused)) focused.focus({ preventScroll: true });
  for (const [name, row] of rows) {
    const isOpen = name === open;
    row.button.setAttribute("aria-expanded", String(isOpen));
    row.panel.hidden = !isOpen;
    if (isOpen && frame.open && frame.open.name === name) renderPanel(row, frame.open);
  }
}

function renderRow(row, lock, isNew) {
  const first = lock.holder;
  put(row.holder, lock.holders === 0 ? "nobody"
    : shown(first.client) + (first.behalf ? " for " + shown(first.behalf) : "")
      + (lock.holders > 1 ? " and " + (lock.holders - 1) + " more" : ""));
  put(row.place, shown(first.place + (first.thread ? " " + first.thread : "")));
  put(row.held, lock.heldMillis === undefined ? "-" : duration(lock.heldMillis));
  put(row.waiters, count(lock.waiters));
  put(row.wait, lock.waitMillis === 0 ? "-" : duration(lock.waitMillis));
  row.waiters.className = row.wait.className = lock.waiters > 0 ? "value waits" : "value";
  const marks = [];
  if (lock.silent) marks.push(make("span", "mark", "out of touch"));
  if (lock.readAgoMillis > 5000) marks.push(make("span", "mark old", "as of " + duration(lock.readAgoMillis) + " ago"));
  row.marks.replaceChildren(...marks);
  if (isNew) {
    remember(row.samples, lock.waiters);
    spark(row.spark, row.samples, 100, 24);
  }
}

function toggle(name) {
  open = open === name ? "" : name;
  const row = rows.get(name);
  row.button.setAttribute("aria-expanded", String(open === name));
  row.panel.hidden = open !== name;
  if (open === name) row.panel.replaceChildren(make("p", "hint", "Reading..."));
  connect();
}

// ---- The queue of one lock ----

// What can be clicked stays the same element, or a click that takes longer than a frame would hit nothing.
function fillPanel(row, name) {
  row.note = make("p", "hint", "Nobody holds it, nobody waits for it.");
  row.queue = make("ol", "queue");
  row.queue.setAttribute("aria-label", "Holders and waiters in their order");
  row.actions = make("p", "actions");
  row.end = row.actions.appendChild(make("button"));
  row.end.type = "button";
  row.end.addEventListener("click", () => askToEnd(name, row.holders));
}

function renderPanel(row, lock) {
  if (!lock.known) return;
  if (!row.queue) fillPanel(row, lock.name);
  if (row.panel.firstChild !== row.note) row.panel.replaceChildren(row.note, row.queue, row.actions);
  row.holders = lock.claims.filter((claim) => claim.place === 0);
  put(row.end, endOf(row.holders) + "\u2026");
  const isHeld = row.holders.length > 0;
  row.note.hidden = lock.claims.length > 0;
  row.queue.replaceChildren(...lock.claims.map(claimOf));
  if (row.actions.contains(document.activeElement) && !isHeld) row.button.focus({ preventScroll: true });
  row.actions.hidden = !mayEnd || !isHeld;
}

function claimOf(claim) {
  const holds = claim.place === 0;
  const item = make("li", "claim" + (holds ? " holds" : "") + (claim.silent ? " silent" : ""));
  const mode = claim.mode === "shared" ? ", reads" : claim.mode === "permits" ? ", " + plural(claim.permits, "permit") : "";
  item.appendChild(make("span", "rank", (holds ? "holds" : claim.place + ". waits") + mode));
  item.appendChild(make("strong", "", shown(claim.who.client) + (claim.who.behalf ? " for " + shown(claim.who.behalf) : "")));
  item.appendChild(make("p", "", shown(claim.who.place + (claim.who.thread ? " " + claim.who.thread : ""))));
  const times = [];
  if (claim.heldMillis !== undefined) times.push("held " + duration(claim.heldMillis));
  times.push("in the queue " + duration(claim.ageMillis));
  times.push("ends in " + duration(claim.remainingMillis) + " unless renewed");
  item.appendChild(make("p", "", times.join(" \u00b7 ")));
  if (claim.heardMillis !== undefined) {
    item.appendChild(make("p", claim.silent ? "silence" : "",
      (claim.silent ? "out of touch: " : "") + "heard of " + duration(claim.heardMillis) + " ago"));
  }
  if (holds) item.appendChild(make("p", "", "token " + claim.token));
  if (claim.localWaiters > 0) item.appendChild(make("p", "", plural(claim.localWaiters, "thread") + " of its own behind it"));
  return item;
}

// ---- Deadlocks, changes, findings ----

let lastRings = "";

function renderRings(rings) {
  $("rings").hidden = rings.length === 0;
  const now = JSON.stringify(rings);
  if (now === lastRings) return;
  lastRings = now;
  put($("rings-title"), rings.length === 1 ? "Deadlock" : rings.length + " deadlocks");
  $("rings-list").replaceChildren(...rings.map(ringOf));
}

function ringOf(ring) {
  const outer = make("div", "ring");
  const svg = draw("svg", { viewBox: "0 0 150 150", "aria-hidden": "true" });
  svg.appendChild(draw("circle", { class: "way", cx: 75, cy: 75, r: 52 }));
  ring.forEach((link, i) => {
    const at = (2 * Math.PI * i) / ring.length - Math.PI / 2;
    const half = at + Math.PI / ring.length;
    svg.appendChild(draw("path", { d: "M-6,-6 L6,0 L-6,6 z", transform:
      "translate(" + (75 + 52 * Math.cos(half)) + " " + (75 + 52 * Math.sin(half)) + ") rotate(" + (half * 180 / Math.PI + 90) + ")" }));
    svg.appendChild(draw("circle", { class: "stop", cx: 75 + 52 * Math.cos(at), cy: 75 + 52 * Math.sin(at), r: 16 }));
    svg.appendChild(draw("text", { x: 75 + 52 * Math.cos(at), y: 75 + 52 * Math.sin(at) })).textContent = i + 1;
  });
  const list = make("ol");
  ring.forEach((link) => {
    const item = make("li");
    item.append(make("span", "", shown(link.who.client + "@" + link.who.place + " " + link.who.thread)), " waits for ", make("b", "", shown(link.waitsFor)));
    list.appendChild(item);
  });
  outer.append(svg, list);
  return outer;
}

const WORDS = {
  "taken": "taken by", "handed-over": "handed over to", "freed": "given back by", "ended": "hold ended by",
  "away": "The store does not answer:", "back": "The store answers again", "more": "and more that happened at once:",
};
let newest = 0;

function renderChanges(changes, isOther) {
  const last = changes.length === 0 ? 0 : changes[0].number;
  if (isOther) newest = last; // what it has seen before may be listed, or older than this page
  const list = $("changes");
  changes.filter((change) => change.number > newest).reverse().forEach((change) => {
    const item = make("li", change.kind === "ended" || change.kind === "away" ? "danger-text" : "");
    item.append(make("time", "", clock(change.atMillis)));
    if (change.lock) item.append(make("b", "", shown(change.lock)), " ");
    item.append(make("span", "", WORDS[change.kind] + " " + shown(change.by)));
    list.prepend(item);
    if (list.children.length > 200) list.lastElementChild.remove();
  });
  newest = last;
  $("no-changes").hidden = list.children.length > 0;
  list.hidden = list.children.length === 0;
}

let lastFindings = "";

function renderFindings(findings, hasDoctor) {
  const now = JSON.stringify([findings, hasDoctor]);
  if (now === lastFindings) return;
  lastFindings = now;
  put($("no-findings"), findings ? "The doctor has found nothing." : hasDoctor ? "The doctor is looking."
    : "The doctor was not asked: for that the store's URL is needed. Run belay doctor.");
  findings = findings || [];
  $("no-findings").hidden = findings.length > 0;
  $("findings").replaceChildren(...findings.map((finding) => {
    const item = make("li");
    item.append(make("span", finding.severity === "danger" ? "danger-text" : finding.severity === "warning" ? "warning-text" : "quiet",
      finding.severity + ": " + shown(finding.subject) + ". "), make("span", "", shown(finding.finding) + " "), make("span", "quiet", shown(finding.cure)));
    return item;
  }));
}

// ---- What clients say ----

const clientCards = new Map();

function renderClients(clients, isNew) {
  $("clients").hidden = clients.length === 0;
  put($("sources"), clients.length === 0
    ? "What clients alone know, such as their losses and how long they waited, nobody was asked for."
    : "Losses, outages, rates and waits are told by the clients that are named, each for itself; of other clients nothing of it is known.");
  const listed = new Set();
  for (const [place, client] of clients.entries()) {
    const key = place + " " + client.address; // of which what is behind the question mark is not shown
    listed.add(key);
    let card = clientCards.get(key);
    if (!card) {
      card = newClient(client);
      clientCards.set(key, card);
      $("clients-list").appendChild(card.item);
    }
    renderClient(card, client, isNew);
  }
  for (const [key, card] of clientCards) {
    if (!listed.has(key)) {
      card.item.remove();
      clientCards.delete(key);
    }
  }
}

function newClient(client) {
  const card = { item: make("li", "client"), figures: {} };
  const head = card.item.appendChild(make("p", "client-head"));
  card.name = head.appendChild(make("strong"));
  head.append(" ");
  head.appendChild(make("span", "quiet", client.address ? "asked at " + shown(client.address) : "the client of this application"));
  card.away = card.item.appendChild(make("p", "danger-text"));
  card.figuresList = card.item.appendChild(make("dl", "figures"));
  for (const [name, label, warm] of [["rate", "Acquired a second", ""], ["p50", "Waits, p50", " warm"], ["p99", "Waits, p99", " warm"]]) {
    const outer = card.figuresList.appendChild(make("div"));
    outer.appendChild(make("dt", "", label));
    const value = outer.appendChild(make("dd"));
    const svg = outer.appendChild(draw("svg", { class: "spark" + warm, viewBox: "0 0 120 28", preserveAspectRatio: "none", "aria-hidden": "true" }));
    card.figures[name] = { value, svg, samples: [] };
  }
  for (const [name, label] of [["now", "Holds / waits"], ["lost", "Leases lost"], ["outages", "Outages"], ["failed", "Requests failed a second"]]) {
    const outer = card.figuresList.appendChild(make("div"));
    outer.appendChild(make("dt", "", label));
    card.figures[name] = { value: outer.appendChild(make("dd")) };
  }
  card.happened = card.item.appendChild(make("ul", "happened"));
  card.last = "";
  return card;
}

function renderClient(card, client, isNew) {
  const away = client.awaySinceMillis !== undefined;
  put(card.name, client.known ? shown(client.client) || "without a name" : "unknown");
  card.away.hidden = !away && client.answering !== false;
  put(card.away, away
    ? (client.everHeard ? "Has not answered since " : "Does not answer; asked since ") + clock(client.awaySinceMillis) + ": " + shown(client.awayWhy)
    : "Its store does not answer it.");
  card.figuresList.hidden = card.happened.hidden = !client.known;
  if (!client.known) return;
  const wait = (name) => client[name + "Millis"] === undefined ? "none"
    : (client[name + "Over"] ? "over " : "") + millis(client[name + "Millis"]);
  figure(card.figures.rate, client.acquiredPerSecond, client.acquiredPerSecond === undefined ? "-" : rate(client.acquiredPerSecond), isNew && !away);
  figure(card.figures.p50, client.p50Millis, away ? "-" : wait("p50"), isNew && !away);
  figure(card.figures.p99, client.p99Millis, away ? "-" : wait("p99"), isNew && !away);
  const lost = Object.entries(client.lost).filter(([, number]) => number > 0);
  put(card.figures.now.value, away ? "-" : count(client.holding) + " / " + count(client.waiting));
  put(card.figures.lost.value, lost.length === 0 ? "0" : lost.map(([reason, number]) => count(number) + " " + shown(reason).replaceAll("_", " ")).join(", "));
  put(card.figures.outages.value, count(client.outages));
  put(card.figures.failed.value, client.failedPerSecond === undefined ? "-" : rate(client.failedPerSecond));
  const happened = [
    ...client.recentLosses.map((one) => [one.atMillis, "danger-text", "lost " + shown(one.lock), shown(one.why)]),
    ...client.recentOutages.map((one) => [one.atMillis, "danger-text", "store away",
      (one.lastedMillis < 0 ? "until now" : "for " + duration(one.lastedMillis)) + ": " + shown(one.why)]),
    ...client.recentSlow.map((one) => [one.atMillis, "warning-text", "slow request", shown(one.what) + " took " + millis(one.lastedMillis)]),
  ].sort((one, other) => other[0] - one[0]);
  const now = JSON.stringify(happened);
  if (now === card.last) return;
  card.last = now;
  card.happened.replaceChildren(...happened.map(([at, className, what, why]) => {
    const item = make("li");
    item.append(make("time", "", clock(at)), make("span", className, what), " ", make("span", "", why));
    return item;
  }));
}

function figure(figure, value, text, isNew) {
  put(figure.value, text);
  if (!isNew) return;
  remember(figure.samples, value === undefined ? 0 : value);
  spark(figure.svg, figure.samples, 120, 28);
}

const millis = (number) => number < 1000 ? number + " ms" : duration(number);
const rate = (number) => number < 10 ? number.toFixed(1) : count(Math.round(number));

// ---- Ending a hold ----

const ending = { name: "", tokens: "" };
// All holds end together: a store knows no other way.
const endOf = (holders) => holders.length > 1 ? "End all " + count(holders.length) + " holds" : "End this hold";

function askToEnd(name, holders) {
  ending.name = name;
  ending.tokens = holders.map((holder) => holder.token).join(" ");
  put($("end-title"), endOf(holders) + "?");
  put($("end-go"), endOf(holders));
  put($("end-name"), shown(name));
  $("end-holders").replaceChildren(...holders.map((holder) => make("div", "", shown(holder.who.client + "@" + holder.who.place))));
  put($("end-problem"), "");
  $("end-typed").value = "";
  mayGo();
  $("end").showModal();
  $("end-typed").focus();
}

function mayGo() {
  $("end-go").disabled = $("end-typed").value !== ending.name || $("end-who").value.trim() === "";
}

$("end-typed").addEventListener("input", mayGo);
$("end-who").addEventListener("input", mayGo);
$("end-cancel").addEventListener("click", () => $("end").close());
$("end").addEventListener("close", () => {
  const row = rows.get(ending.name);
  if (row) row.button.focus({ preventScroll: true });
});
$("end-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  $("end-go").disabled = true;
  try {
    const form = { name: ending.name, typed: $("end-typed").value, who: $("end-who").value, tokens: ending.tokens };
    const answer = await fetch(root + "end", hasStream
      ? { method: "POST", ...direct(), headers: { "X-Belay-Page": pageSecret }, body: new URLSearchParams(form) }
      : { method: "POST", ...direct(), headers: { "Content-Type": "application/json" }, body: JSON.stringify({ ...form, page: pageSecret }) });
    if (isLedAway(answer)) put($("end-problem"), "Nothing was ended: sign in again, and load this page anew.");
    else if (answer.ok) $("end").close();
    else put($("end-problem"), shown((await answer.text()).trim()));
  } catch (e) {
    put($("end-problem"), "The " + server + " does not answer. Whether anything was ended is not known.");
  }
  mayGo();
});

// ---- Keys ----

let typing = 0;
$("search").addEventListener("input", () => {
  clearTimeout(typing);
  typing = setTimeout(() => {
    search = $("search").value;
    connect();
  }, 250);
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || $("end").open) return;
  const inField = event.target instanceof HTMLInputElement;
  if (event.key === "/" && !inField) {
    event.preventDefault();
    $("search").focus();
  } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && (event.target === $("search") || $("list").contains(event.target))) {
    const buttons = [...$("list").querySelectorAll(".lock > button")];
    const place = buttons.findIndex((button) => button.parentElement.contains(event.target)); // -1 from the search
    const next = place + (event.key === "ArrowDown" ? 1 : -1);
    if (buttons[next]) {
      event.preventDefault();
      buttons[next].focus();
    }
  }
});

connect();
