// RUN: tile-opt %s --split-input-file --verify-diagnostics

// Each numbered constraint of roles and transaction barriers, broken once.

// C1: roles hold roles.
tile.kernel @roles_c1_ops() {
  // expected-error @+1 {{expected tile_gpu.role ops only}}
  tile_gpu.roles {
    // expected-note @+1 {{got tile_gpu.barrier}}
    tile_gpu.barrier
  }
  tile.return
}

// -----

// C1: there is one.
tile.kernel @roles_c1_none() {
  // expected-error @+1 {{expected at least one role, got none}}
  tile_gpu.roles {
  }
  tile.return
}

// -----

// C1: a role is whole warpgroups.
tile.kernel @role_c1_warps() {
  tile_gpu.roles {
    // expected-error @+1 {{expected warps to be a multiple of 4 up to 28, got 2}}
    tile_gpu.role "all" warps 2 {
    }
  }
  tile.return
}

// -----

// C1: a role has warps.
tile.kernel @role_c1_none() {
  tile_gpu.roles {
    // expected-error @+1 {{expected warps to be a multiple of 4 up to 28, got 0}}
    tile_gpu.role "all" warps 0 {
    }
  }
  tile.return
}

// -----

// C2: registers come in eights.
tile.kernel @role_c2_multiple() {
  tile_gpu.roles {
    // expected-error @+1 {{expected registers to be a multiple of 8 from 24 to 256, got 100}}
    tile_gpu.role "all" warps 4 registers 100 {
    }
  }
  tile.return
}

// -----

// C2: and are not too many.
tile.kernel @role_c2_range() {
  tile_gpu.roles {
    // expected-error @+1 {{expected registers to be a multiple of 8 from 24 to 256, got 264}}
    tile_gpu.role "all" warps 4 registers 264 {
    }
  }
  tile.return
}

// -----

// C1: somebody arrives.
tile.kernel @barriers_c1_arrivals() {
  // expected-error @+1 {{expected at least 1 arrival, got 0}}
  %0 = tile_gpu.barriers arrivals 0 : !tile_gpu.barriers<2>
  tile.return
}

// -----

// C2: a barrier takes 8 bytes.
tile.kernel @barriers_c2_multiple() {
  // expected-error @+1 {{expected offset to be a multiple of 8, got 12}}
  %0 = tile_gpu.barriers arrivals 1 at 12 : !tile_gpu.barriers<2>
  tile.return
}

// -----

// C2: in shared memory.
tile.kernel @barriers_c2_negative() {
  // expected-error @+1 {{expected offset to be a multiple of 8, got -8}}
  %0 = tile_gpu.barriers arrivals 1 at -8 : !tile_gpu.barriers<2>
  tile.return
}

// -----

// C1: barriers stand for slots.
tile.kernel @barriers_type_c1_slots() {
  // expected-error @+1 {{expected at least one slot, got 0}}
  %0 = tile_gpu.barriers arrivals 1 : !tile_gpu.barriers<0>
  tile.return
}

// -----

// C1: the cursor walks over the slots of the barriers.
tile.kernel @wait_full_c1_slots() {
  %b = tile_gpu.barriers arrivals 1 : !tile_gpu.barriers<2>
  %c = tile_gpu.cursor : !tile_gpu.cursor<3>
  // expected-error @+1 {{expected a cursor over 2 slots, got 3}}
  tile_gpu.wait_full %b[%c] : !tile_gpu.barriers<2>, !tile_gpu.cursor<3>
  tile.return
}

// -----

// C1: the cursor walks over the slots of the barriers.
tile.kernel @wait_free_c1_slots() {
  %b = tile_gpu.barriers arrivals 1 : !tile_gpu.barriers<2>
  %c = tile_gpu.cursor : !tile_gpu.cursor<3>
  // expected-error @+1 {{expected a cursor over 2 slots, got 3}}
  tile_gpu.wait_free %b[%c] : !tile_gpu.barriers<2>, !tile_gpu.cursor<3>
  tile.return
}

// -----

// C1: the cursor walks over the slots of the barriers.
tile.kernel @release_c1_slots() {
  %b = tile_gpu.barriers arrivals 1 : !tile_gpu.barriers<2>
  %c = tile_gpu.cursor : !tile_gpu.cursor<3>
  // expected-error @+1 {{expected a cursor over 2 slots, got 3}}
  tile_gpu.release %b[%c] : !tile_gpu.barriers<2>, !tile_gpu.cursor<3>
  tile.return
}

// -----

// C1: the cursor walks over the slots of the barriers.
tile.kernel @expect_c1_slots() {
  %b = tile_gpu.barriers arrivals 1 : !tile_gpu.barriers<2>
  %c = tile_gpu.cursor : !tile_gpu.cursor<3>
  // expected-error @+1 {{expected a cursor over 2 slots, got 3}}
  tile_gpu.expect %b[%c], 64 : !tile_gpu.barriers<2>, !tile_gpu.cursor<3>
  tile.return
}

// -----

// C2: something lands.
tile.kernel @expect_c2_bytes() {
  %b = tile_gpu.barriers arrivals 1 : !tile_gpu.barriers<2>
  %c = tile_gpu.cursor : !tile_gpu.cursor<2>
  // expected-error @+1 {{expected a positive number of bytes, got 0}}
  tile_gpu.expect %b[%c], 0 : !tile_gpu.barriers<2>, !tile_gpu.cursor<2>
  tile.return
}
