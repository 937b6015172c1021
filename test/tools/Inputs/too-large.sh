#!/bin/sh
# too-large.sh FILE: 1, "interesting", where nine stages of FILE's tiles do not
# fit into shared memory; else 0.
tilec "$1" --arch=sm_80 --set plan.stages=9 --emit=manifest 2>&1 |
  grep -q 'bytes of shared memory for 9 stages' && exit 1
exit 0
