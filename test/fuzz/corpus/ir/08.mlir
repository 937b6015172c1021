tile.kernel @casts(%x: i32 {tile.fact = #tile.fact<divisibility = 24>}, %flag: i1) {
  %a = arith.extsi %x {test.print} : i32 to i64
  %b = arith.extui %x {test.print} : i32 to i64
  %c = arith.trunci %x {test.print} : i32 to i16
  %d = arith.index_cast %x {test.print} : i32 to index
  %c36 = arith.constant 36 : i32
  %e = arith.select %flag, %x, %c36 {test.print} : i32
  %f = scf.if %flag -> i32 {
    scf.yield %x : i32
  } else {
    scf.yield %c36 : i32
  } {test.print}
  tile.return
}
