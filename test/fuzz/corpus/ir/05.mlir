tile.kernel @arithmetic(%x: i32 {tile.fact = #tile.fact<divisibility = 24>}, %y: i32 {tile.fact = #tile.fact<divisibility = 60>}) {
  %c3 = arith.constant 3 : i32
  %a = arith.addi %x, %y overflow<nsw> {test.print} : i32
  %b = arith.addi %x, %y {test.print} : i32
  %c = arith.subi %y, %x {test.print} : i32
  %d = arith.muli %x, %y overflow<nsw> {test.print} : i32
  %e = arith.muli %x, %y {test.print} : i32
  %f = arith.shli %x, %c3 {test.print} : i32
  %g = arith.minsi %x, %y {test.print} : i32
  %h = arith.remsi %x, %y {test.print} : i32
  %i = arith.remui %x, %y {test.print} : i32
  tile.return
}
