tile.kernel @attribute_name() attributes {tile_gpu.share = 1 : i64} {
  tile.return
}
