// 163 slots of 1024 bytes, all that sm_80 has, and one byte beside them.

#kilo = #tile.layout<offset = [[1], [2], [4], [8], [16], [32], [64], [128], [256], [512]], sides = [1024]>
#byte = #tile.layout<offset = [], sides = [1]>

tile.kernel @limit() plan #tile.plan<target = "sm_80"> {
  %x = arith.constant dense<1> : tensor<1024xi8>
  %y = arith.constant dense<1> : tensor<1xi8>
  %a = tile_gpu.alloc : !tile_gpu.buffer<163x1024xi8, #kilo>
  %b = tile_gpu.alloc : !tile_gpu.buffer<1x1xi8, #byte>
  %c = tile_gpu.cursor : !tile_gpu.cursor<163>
  %d = tile_gpu.cursor : !tile_gpu.cursor<1>
  tile_gpu.local_store %x, %a[%c] : tensor<1024xi8>, !tile_gpu.buffer<163x1024xi8, #kilo>, !tile_gpu.cursor<163>
  tile_gpu.local_store %y, %b[%d] : tensor<1xi8>, !tile_gpu.buffer<1x1xi8, #byte>, !tile_gpu.cursor<1>
  %z = tile_gpu.local_load %a[%c] : !tile_gpu.buffer<163x1024xi8, #kilo>, !tile_gpu.cursor<163> -> tensor<1024xi8>
  tile.return
}
