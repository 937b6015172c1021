tile.kernel @unused(%p: !tile.ptr<i32>, %i: i32) {
  %0 = tile.load %p[%i] : !tile.ptr<i32>, i32 -> i32
  %1 = tile.atomic_rmw addi %p[%i], %i : !tile.ptr<i32>, i32, i32
  %2 = tile.atomic_cas %p[%i], %i, %i : !tile.ptr<i32>, i32, i32
  tile.return
}
