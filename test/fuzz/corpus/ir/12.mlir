tile.kernel @shape_identity() {
  %i = tile.iota : tensor<4xi32>
  %0 = tile.broadcast %i : tensor<4xi32> -> tensor<4xi32>
  %1 = tile.reshape %i : tensor<4xi32> -> tensor<4xi32>
  %2 = tile.transpose %i order [0] : tensor<4xi32> -> tensor<4xi32>
  tile.print "x", %0, %1, %2 : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
  tile.return
}
