// After a submission that was refused: what is wrong goes from the page as soon as it is right.
"use strict";

(() => {
  const form = document.getElementById("review");
  const box = document.getElementById("problems");
  const part = document.getElementById("prediction");
  if (!form || !box || !part || !box.querySelector("[data-about]")) return;
  const whole = Number(part.dataset.whole);
  const addsUp = "addsUp" in part.dataset;
  const inputs = [...part.querySelectorAll(".level input")];
  const comment = form.elements.comment;

  const isNumber = (input) => !input.validity.badInput && /^[0-9]{0,6}$/.test(input.value.trim()) && Number(input.value) <= whole;
  const sum = () => inputs.reduce((total, input) => total + Number(input.value), 0);

  function isRight(about) {
    if (about === "rating") return form.querySelector("input[name=rating]:checked") !== null;
    if (about === "comment") return comment.value.length <= comment.maxLength;
    if (about !== "prediction") return isNumber(form.elements[about]);
    return inputs.every(isNumber) && (addsUp ? sum() === whole : inputs[0].value.trim() !== "");
  }

  function messageBeside(about) {
    if (about === "prediction") return document.getElementById("prediction-errors");
    return document.getElementById(`id_${about}_error`);
  }

  function forget(about) {
    const message = messageBeside(about);
    const fields = about === "prediction" ? inputs : [form.elements[about]].flatMap((field) => (field instanceof RadioNodeList ? [...field] : [field]));
    for (const field of fields) field.removeAttribute("aria-invalid");
    if (!message) return;
    for (const described of form.querySelectorAll(`[aria-describedby~="${message.id}"]`)) {
      const others = described.getAttribute("aria-describedby").split(" ").filter((id) => id !== message.id);
      described.setAttribute("aria-describedby", others.join(" "));
    }
    message.remove();
  }

  function show() {
    const before = box.querySelectorAll("[data-about]");
    const right = [...before].filter((line) => isRight(line.dataset.about));
    for (const line of right) {
      forget(line.dataset.about);
      line.remove();
    }
    const left = before.length - right.length;
    if (right.length === 0) return;
    if (left > 0) {
      box.querySelector("h2").textContent = left === 1 ? "One thing is missing or wrong" : "Some things are missing or wrong";
      return;
    }
    box.classList.remove("error");
    box.querySelector("h2").textContent = "Nothing was submitted yet";
    box.querySelector("p").textContent = "What was missing or wrong is right now: submit the review.";
    box.querySelector("ul").remove();
    form.removeEventListener("input", show);
    form.removeEventListener("change", show);
  }

  form.addEventListener("input", show);
  form.addEventListener("change", show);
  if (globalThis.surpeerTyped.touched().length > 0) show();
})();
