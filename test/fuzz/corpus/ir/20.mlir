tile.kernel @wgmma_wait_c1_negative() {
  tile_gpu.wgmma_wait -1
  tile.return
}
