tile.kernel @grid() {
  %0 = tile.program_id x
  %1 = tile.program_id z
  %2 = tile.num_programs y
  tile.return
}
