// Replace the picture of a game by the game itself, on a click; without scripts the link opens it.
for (const stage of document.querySelectorAll('.stage[data-game]')) {
  const start = stage.querySelector('.start')
  start.addEventListener('click', event => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    const frame = document.createElement('iframe')
    frame.title = start.textContent
    frame.src = stage.dataset.game
    stage.replaceChildren(frame)
    frame.focus()
  })
}
