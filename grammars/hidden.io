# What a spec without `io` that hides something reads and prints: no board, which only `play` shows.
repeat until over
  read word w
  play move w
  else
    fail "`{w}` is not a legal move"
if drawn
  print "draw: {reason}"
else
  print "{label of winner} wins: {reason}"
