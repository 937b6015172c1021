tile.kernel @division(%x: i32 {tile.fact = #tile.fact<divisibility = 24>}, %y: i32) {
  %c2 = arith.constant 2 : i32
  %c4 = arith.constant 4 : i32
  %c5 = arith.constant 5 : i32
  %a = arith.divsi %x, %c4 {test.print} : i32
  %b = arith.divsi %x, %c5 {test.print} : i32
  %c = arith.divsi %x, %y {test.print} : i32
  %d = arith.ceildivsi %x, %c4 {test.print} : i32
  %e = arith.shrsi %x, %c2 {test.print} : i32
  %f = arith.andi %x, %y {test.print} : i32
  %g = arith.ori %x, %y {test.print} : i32
  %h = arith.ori %x, %c4 {test.print} : i32
  tile.return
}
