// A button that copies a link or a token; without this script it is selected by hand.
for (const button of document.querySelectorAll("[data-copy-button]")) {
  const field = document.getElementById(button.dataset.copyButton);
  const said = document.querySelector("[data-copy-said]");
  button.hidden = false;
  button.addEventListener("click", async () => {
    if (field.select) field.select();
    else getSelection().selectAllChildren(field);
    try {
      await navigator.clipboard.writeText(field.value ?? field.textContent);
      said.textContent = "Copied.";
    } catch {
      said.textContent = "It is selected: copy it with the keyboard or the menu.";
    }
  });
}
