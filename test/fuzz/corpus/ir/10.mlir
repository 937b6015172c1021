tile.kernel @debug(%b: i1, %n: i32, %m: i32) {
  tile.assert %b, "b" : i1
  tile.print "here"
  tile.print "here"
  tile.assume %n, <min = 1> : i32
  tile.return
}
