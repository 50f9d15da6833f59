// A button that copies a link; without this script the link is selected by hand.
for (const button of document.querySelectorAll("[data-copy-button]")) {
  const field = document.getElementById(button.dataset.copyButton);
  const said = document.querySelector("[data-copy-said]");
  button.hidden = false;
  button.addEventListener("click", async () => {
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      said.textContent = "Copied.";
    } catch {
      said.textContent = "The link is selected: copy it with the keyboard or the menu.";
    }
  });
}
