tile.kernel @control(%p: !tile.ptr<f32>, %i: i32, %s: i64, %c: i1) {
  %one = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : tensor<32x64xf32>
  %x = tile_gpu.load %p[%i, %i] bounds[%i, %i] strides[%s, %one] plan<registers, vector = 4> : !tile.ptr<f32>, i32 -> tensor<32x64xf32>
  %r = scf.while (%a = %x) : (tensor<32x64xf32>) -> tensor<32x64xf32> {
    scf.condition(%c) %a : tensor<32x64xf32>
  } do {
  ^bb0(%b: tensor<32x64xf32>):
    %t = scf.if %c -> (tensor<32x64xf32>) {
      scf.yield %b : tensor<32x64xf32>
    } else {
      scf.yield %zero : tensor<32x64xf32>
    }
    scf.yield %t : tensor<32x64xf32>
  }
  %at = arith.index_cast %i : i32 to index
  %u = scf.index_switch %at -> tensor<32x64xf32>
  case 0 { scf.yield %r : tensor<32x64xf32> }
  default { scf.yield %zero : tensor<32x64xf32> }
  %v = scf.execute_region -> tensor<32x64xf32> { scf.yield %u : tensor<32x64xf32> }
  tile.print "v", %v : tensor<32x64xf32>
  tile.return
}
