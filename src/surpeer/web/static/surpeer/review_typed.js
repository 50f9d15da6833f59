// What was typed and has not reached the server: kept in this tab until it has, and put back as a whole when somebody
// returns to the form. The window goes on as the one it was, so that the server can tell if another one got ahead.
"use strict";

(() => {
  const form = document.getElementById("review");
  const shown = form || document.getElementById("stored");
  if (!shown) return;
  const place = `typed ${form ? form.getAttribute("action") : shown.dataset.review}`;
  const NOT_KEPT = ["csrfmiddlewaretoken", "before"];
  const MEANT_BY_QUESTION = /^(rating|number_[0-9]+|labels)$/;

  function kept() {
    try {
      return JSON.parse(sessionStorage.getItem(place));
    } catch (problem) {
      return null; // a browser that keeps nothing
    }
  }

  function remember() {
    const fields = [...new FormData(form)].filter(([name]) => !NOT_KEPT.includes(name));
    try {
      sessionStorage.setItem(place, JSON.stringify({ question: question(), fields: Object.fromEntries(fields) }));
    } catch (problem) {
      forget(); // what is older must not come back instead
    }
  }

  function forget() {
    try {
      sessionStorage.removeItem(place);
    } catch (problem) {
      // nothing was kept
    }
  }

  // Fields that hold something else than what the server sent: scripts may come when somebody has begun already.
  function touched() {
    const fields = [...form.querySelectorAll("input:not([type=hidden]), textarea")];
    return fields.filter((field) => (field.type === "radio" ? field.checked !== field.defaultChecked : field.value !== sent(field)));
  }

  function sent(field) {
    const untouched = field.cloneNode();
    untouched.value = field.defaultValue; // what is no number leaves a field for numbers empty
    return untouched.value;
  }

  // Ratings and numbers mean what was asked; the chairs may have changed that.
  function question() {
    const parts = [...form.querySelectorAll("legend, .choices label, .level label")];
    return parts.map((part) => part.textContent.trim()).join("\n");
  }

  // What is typed goes with the next turn: a draft of the same turn is from before.
  function hasArrived({ key, turn }) {
    const { submittedKey, draftKey, draftTurn } = shown.dataset;
    return key === submittedKey || (key === draftKey && Number(draftTurn) > Number(turn));
  }

  function isThisPage({ key, turn }) {
    return form.elements.key.value === key && Number(form.elements.turn.value) > Number(turn);
  }

  function putBack({ question: asked, fields }) {
    const same = asked === question();
    const newer = new Set(touched().map((field) => field.name));
    if (same && !newer.has("rating")) {
      for (const choice of form.querySelectorAll("input[name=rating]")) choice.checked = choice.value === fields.rating;
    }
    for (const [name, value] of Object.entries(fields)) {
      const field = form.elements[name];
      if (field && name !== "rating" && !newer.has(name) && (same || !MEANT_BY_QUESTION.test(name))) field.value = value;
    }
  }

  function returned() {
    const before = kept();
    if (!before) return false;
    if (hasArrived(before.fields)) forget();
    else if (form && form.dataset.draft && !isThisPage(before.fields)) {
      putBack(before);
      return true;
    }
    return false;
  }

  if (form && !form.dataset.draft) { // she is asked which of two versions to keep: then this is settled
    form.addEventListener("submit", forget);
    document.querySelector(".conflict a").addEventListener("click", forget);
  }
  globalThis.surpeerTyped = { remember, forget, touched, isBack: returned() };
})();
