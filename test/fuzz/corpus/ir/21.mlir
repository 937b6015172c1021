tile.kernel @shared_type() attributes {tile_gpu.shared = "much"} {
  tile.return
}
