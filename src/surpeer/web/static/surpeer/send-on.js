// Goes on sending by itself; without this script one presses the button.
const form = document.querySelector("[data-send-on]");
if (form) {
  const timer = setTimeout(() => form.requestSubmit(), 1000);
  addEventListener("beforeunload", () => clearTimeout(timer)); // somebody was quicker, or chose to leave
}
