// Goes on sending by itself; without this script one presses the button.
const form = document.querySelector("[data-send-on]");
if (form) setTimeout(() => form.requestSubmit(), 1000);
