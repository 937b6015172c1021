tile.kernel @value(%s: i64 {tile.contiguous = 1}) {
  tile.return
}
