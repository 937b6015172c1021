tile.kernel @scan_c3_type() {
  %i = tile.iota : tensor<4xi32>
  %0 = tile.scan %i axis 0 {
  ^bb0(%l: i32, %r: i32):
    tile.yield %l : i32
  } : tensor<4xi32> -> tensor<2xi32>
  tile.return
}
