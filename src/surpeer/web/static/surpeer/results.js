// Tells when there is something newer to see, and loads it unless somebody is in the middle of something.
"use strict";

{
  const place = document.getElementById("freshness");
  const notice = place && place.querySelector(".notice");
  const text = document.getElementById("freshness-text");
  const SOON = 2000, LATER = 20000, MOST = 60000;
  let busy = place && place.dataset.busy === "yes";
  let failures = 0;
  let leaving = -MOST;

  const inTheMiddle = () => {
    const active = document.activeElement;
    const typing = active && active.matches("input, select, textarea");
    const open = document.querySelector("details[open] textarea");
    return typing || open || performance.now() - leaving < MOST || String(document.getSelection()).length > 0;
  };

  const say = (sentence) => {
    if (text.textContent !== sentence) text.textContent = sentence;
    notice.hidden = sentence === "";
  };

  const look = async () => {
    try {
      const answer = await fetch(place.dataset.state, { headers: { Accept: "application/json" } });
      if (!answer.ok) throw new Error(String(answer.status));
      const state = await answer.json();
      failures = 0;
      busy = state.sentence !== "";
      if (state.version === place.dataset.version) return say(state.sentence);
      if (!inTheMiddle()) return location.reload();
      say("There are newer results.");
    } catch {
      failures += 1;
    }
  };

  const next = () => {
    const pause = Math.min(MOST, (busy ? SOON : LATER) * 2 ** failures);
    setTimeout(async () => {
      if (!document.hidden) await look();
      next();
    }, pause);
  };

  if (place) {
    addEventListener("beforeunload", () => { leaving = performance.now(); }); // loading again would stop what she chose
    next();
  }
}
