// The prediction in the form of a review: plus and minus, bars, what is left to place, scaling that can be undone.
// Nothing here changes a number that nobody touched, except the button that says so.
"use strict";

(() => {
  const form = document.getElementById("review");
  const part = document.getElementById("prediction");
  if (!form || !part) return;
  const whole = Number(part.dataset.whole);
  const unit = part.dataset.unit;
  const levels = [...part.querySelectorAll(".level")];
  const inputs = levels.map((level) => level.querySelector("input"));
  const left = document.getElementById("left");
  const scaledNote = document.getElementById("scaled");
  let beforeScaling = null;

  const valueOf = (input) => (/^[0-9]{1,6}$/.test(input.value.trim()) ? Number(input.value) : 0);
  const isOdd = (input) => input.validity.badInput || (input.value.trim() !== "" && !/^[0-9]{1,6}$/.test(input.value.trim()));
  const oddText = (level, input) => `${level.querySelector("label").textContent}${input.value ? ` “${input.value.trim()}”` : ""}`;
  const sum = () => inputs.reduce((total, input) => total + valueOf(input), 0);
  const changed = (input) => input.dispatchEvent(new Event("input", { bubbles: true }));

  function leftText(odd) {
    if (odd.length > 0) return `${odd.join(", ")}: ${odd.length === 1 ? "not a whole number" : "not whole numbers"}`;
    const missing = whole - sum();
    if (missing === 0) return `Adds up to ${whole}${unit}`;
    return missing > 0 ? `${missing}${unit} left to place` : `${-missing}${unit} too many`;
  }

  function show() {
    levels.forEach((level, place) => {
      const width = Math.min(100, (100 * valueOf(inputs[place])) / whole);
      level.querySelector("rect").setAttribute("width", String(width));
    });
    if (!left) return;
    const missing = whole - sum();
    const odd = levels.filter((_, place) => isOdd(inputs[place])).map((level) => oddText(level, level.querySelector("input")));
    const text = leftText(odd);
    if (left.textContent !== text) left.textContent = text; // unchanged text is not read out again
    left.classList.toggle("fits", missing === 0 && odd.length === 0);
    left.classList.toggle("over", missing < 0 || odd.length > 0);
    document.getElementById("scale").disabled = missing === 0 || sum() === 0 || odd.length > 0;
  }

  function step(level, by) {
    const input = level.querySelector("input");
    input.value = String(Math.max(0, Math.min(whole, valueOf(input) + by)));
    changed(input);
  }

  function scale(event) {
    event.preventDefault();
    const numbers = inputs.map(valueOf);
    const after = globalThis.surpeerScaled(numbers, whole);
    beforeScaling = inputs.map((input) => input.value);
    const total = sum();
    inputs.forEach((input, place) => { input.value = String(after[place]); });
    const changes = levels.map((level, place) => `${level.querySelector("label").textContent} ${numbers[place]}${unit} → ${after[place]}${unit}`);
    scaledNote.querySelector("p").textContent = `Scaled from ${total}${unit} to ${whole}${unit}: ${changes.join(", ")}.`;
    scaledNote.hidden = false;
    changed(inputs[0]);
    document.getElementById("unscale").focus(); // the button just pressed is disabled now
  }

  function unscale(event) {
    if (beforeScaling === null) return; // scaled by the server: it knows what was there before
    event.preventDefault();
    inputs.forEach((input, place) => { input.value = beforeScaling[place]; });
    beforeScaling = null;
    scaledNote.hidden = true;
    changed(inputs[0]);
    inputs[0].focus();
  }

  function ratingFirst() {
    const chosen = form.querySelector("input[name=rating]:checked") !== null;
    const begun = inputs.some((input) => input.value !== "");
    part.hidden = !chosen && !begun;
    document.getElementById("rating-first").hidden = !part.hidden;
  }

  for (const level of levels) {
    for (const button of level.querySelectorAll("[data-step]")) {
      button.hidden = false;
      button.addEventListener("click", () => step(level, Number(button.dataset.step)));
    }
    level.querySelector(".bar").removeAttribute("hidden");
    // a wheel that passes over a focused number would change it unnoticed
    level.querySelector("input").addEventListener("wheel", (event) => event.target.blur(), { passive: true });
  }
  if (left) {
    left.hidden = false;
    document.getElementById("scale").addEventListener("click", scale);
    document.getElementById("unscale").addEventListener("click", unscale);
  }
  part.addEventListener("input", show);
  form.addEventListener("change", ratingFirst);
  ratingFirst();
  show();
  const problems = document.getElementById("problems");
  if (problems && document.activeElement === document.body) problems.focus(); // nobody types yet
})();
