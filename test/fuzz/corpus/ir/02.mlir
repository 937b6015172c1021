tile.kernel @softmax(%a: !tile.ptr<f32>, %n: i32) plan #tile.plan<warps = 4> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i64
  %x = tile_gpu.load %a[%zero, %zero] bounds[%n, %n] strides[%one, %one]
      plan<registers, vector = 4> : !tile.ptr<f32>, i32 -> tensor<16x64xf32>
  %s = tile.reduce %x axis 1 {
    ^bb0(%l: f32, %r: f32):
      %m = arith.maximumf %l, %r : f32
      tile.yield %m : f32
  } : tensor<16x64xf32> -> tensor<16xf32>
  %column = tile.expand_dims %s axis 1 : tensor<16xf32> -> tensor<16x1xf32>
  %columns = tile.broadcast %column : tensor<16x1xf32> -> tensor<16x64xf32>
  %y = arith.subf %x, %columns : tensor<16x64xf32>
  tile_gpu.store %y, %a[%zero, %zero] bounds[%n, %n] strides[%one, %one]
      plan<registers, vector = 4> : tensor<16x64xf32>, !tile.ptr<f32>, i32
  tile.return
}
