// Drafts while typing: saved a moment after the last change, again when the connection is back, and on leaving.
"use strict";

(() => {
  const PAUSE = 1200;
  const AGAIN = 10000;
  const form = document.getElementById("review");
  if (!form || !form.dataset.draft) return; // none where she is asked which of two versions to keep
  const state = document.getElementById("draft-state");
  const conflict = document.getElementById("draft-conflict");
  const submits = form.querySelectorAll('button[name="action"][value="submit"]');
  const typed = globalThis.surpeerTyped;
  let timer = null;
  let dirty = false;
  let stopped = false; // submitted, or changed in another window
  let request = null;

  const say = (text) => { if (state.textContent !== text) state.textContent = text; };
  const plan = (pause) => { clearTimeout(timer); timer = setTimeout(save, pause); };
  const nextTurn = () => { form.elements.turn.value = String(Number(form.elements.turn.value || 0) + 1); };

  function changed() {
    typed.remember();
    if (stopped) return;
    dirty = true;
    plan(PAUSE);
  }

  async function save() {
    if (stopped || !dirty) return;
    if (request) return plan(PAUSE);
    dirty = false;
    nextTurn();
    request = new AbortController();
    try {
      const options = { method: "POST", body: new FormData(form), signal: request.signal, headers: { Accept: "application/json" } };
      await answered(await fetch(form.dataset.draft, options));
    } catch (problem) {
      if (!stopped) failed("No connection: the draft is not saved yet. It will be tried again.");
    } finally {
      request = null;
    }
  }

  async function answered(response) {
    const ours = (response.headers.get("Content-Type") || "").startsWith("application/json");
    if (!ours) return failed("The draft is not saved: open your personal link again in another tab, and keep this one open.");
    const answer = await response.json();
    if (response.status === 409) return overtaken(answer.problem);
    if (!response.ok) { dirty = true; return say(answer.problem); }
    form.elements.draft.value = String(answer.draft);
    if (dirty) typed.remember();
    else if (!stopped) typed.forget();
    document.getElementById("discard").hidden = false;
    say(answer.text); // with the time at the venue, as on all its pages
    roundIs(answer.closed ? "closed" : "open");
  }

  // The chairs may close the round, and reopen it, while a form is open. Whether a review is taken, the server decides.
  function roundIs(state) {
    for (const button of submits) {
      button.disabled = state === "closed";
      button.setAttribute("aria-describedby", "draft-state"); // which says why
    }
  }

  function failed(text) {
    dirty = true;
    say(text);
    plan(AGAIN);
  }

  function overtaken(text) {
    stopped = true;
    form.elements.overtaken.value = "1"; // so that a submission is compared first
    say("");
    conflict.querySelector("span").textContent = text;
    conflict.setAttribute("role", "alert");
    conflict.hidden = false;
  }

  form.addEventListener("input", changed);
  form.addEventListener("change", changed);
  form.addEventListener("submit", (event) => {
    if (!navigator.onLine) {
      event.preventDefault(); // the browser's error page would take the place of what was typed
      return say("No connection: nothing was sent. What you typed is still here; try again when you are online.");
    }
    stopped = true;
    clearTimeout(timer);
    if (event.submitter && event.submitter.value === "discard") typed.forget();
    else typed.remember();
    nextTurn();
    if (request) request.abort();
  });
  if (typed.isBack) say("What you typed here before is back in the form. It is not submitted yet.");
  if (typed.isBack || typed.touched().length > 0) changed();
  globalThis.addEventListener("online", () => { if (dirty) plan(0); });
  globalThis.addEventListener("pagehide", () => {
    if (stopped || !dirty) return;
    nextTurn();
    dirty = false;
    navigator.sendBeacon(form.dataset.draft, new FormData(form));
  });
  globalThis.addEventListener("pageshow", (event) => { if (event.persisted) stopped = false; });
})();
