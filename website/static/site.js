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

// Name the landmarks of the theme, and let keys scroll wide blocks and tables.
const NAMES = { '.sidebar-drawer': 'Site', '.toc-drawer': 'Contents of the page' }
for (const [selector, name] of Object.entries(NAMES)) {
  document.querySelector(selector)?.setAttribute('aria-label', name)
}
for (const block of document.querySelectorAll('.highlight pre, .table-wrapper')) {
  block.tabIndex = 0
}
