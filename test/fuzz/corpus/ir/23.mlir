tile.kernel @kernel_argument_attribute(%a: i32 {tile.alignment = 16}) {
  tile.return
}
