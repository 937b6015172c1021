tile.kernel @unknown_op() {
  "tile.nope"() : () -> ()
  tile.return
}
