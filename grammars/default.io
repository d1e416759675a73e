# What a spec without `io` reads and prints: words are moves.
print board
print ""
repeat until over
  read word w
  play move w
  else
    fail "`{w}` is not a legal move"
  print board
  print ""
if drawn
  print "draw: {reason}"
else
  print "{label of winner} wins: {reason}"
