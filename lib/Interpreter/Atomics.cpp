//===- Atomics.cpp - Atomic updates ---------------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decode.h"
#include "LaneAccess.h"

using namespace mlir;

namespace tile::interpreter {

/// What memory holds after an update of `old` by `value`, both as bits.
template <class E>
static typename E::Storage updateInteger(AtomicKind kind,
                                         typename E::Storage old,
                                         typename E::Storage value) {
  switch (kind) {
  case AtomicKind::AddI:
    return E::put(E::get(old) + E::get(value));
  case AtomicKind::MaxS:
    return E::getSigned(old) > E::getSigned(value) ? old : value;
  case AtomicKind::MinS:
    return E::getSigned(old) < E::getSigned(value) ? old : value;
  case AtomicKind::MaxU:
    return std::max(old, value);
  case AtomicKind::MinU:
    return std::min(old, value);
  case AtomicKind::And:
    return old & value;
  case AtomicKind::Or:
    return old | value;
  case AtomicKind::Xor:
    return old ^ value;
  default:
    return value;
  }
}

template <class E>
static typename E::Storage updateFloat(AtomicKind kind, typename E::Storage old,
                                       typename E::Storage value) {
  if (kind == AtomicKind::Exchange)
    return value;
  using Wide = std::conditional_t<E::kIsNarrow, double, typename E::Storage>;
  return E::put(Wide(E::get(old)) + Wide(E::get(value)));
}

/// numbers: [mask's operand or -1, the kind].  Programs run one at a time where
/// there are atomics, so that results do not depend on who comes first.
template <class E>
static LogicalResult runRmw(Program &program, const Step &step) {
  using Storage = typename E::Storage;
  Access access(program, step, step.operands[0],
                offsetsIn(program, step.operands[1]), sizeof(Storage));
  const uint8_t *mask =
      step.numbers[0] < 0 ? nullptr : program.data<uint8_t>(step.operands[3]);
  const Storage *value = program.data<Storage>(step.operands[2]);
  Storage *result = program.data<Storage>(step.results[0]);
  auto kind = AtomicKind(step.numbers[1]);
  int64_t count = program.slot(step.results[0]).count;
  for (int64_t i = 0; i < count; ++i) {
    if (mask && !mask[i]) {
      result[i] = Storage(0);
      continue;
    }
    uint8_t *element = access.element(i, "update");
    if (!element || failed(access.checkInitialised(element, i)))
      return failure();
    access.touch(element, Touch::Atomic);
    Storage old, updated;
    std::memcpy(&old, element, sizeof(Storage));
    if constexpr (E::kIsFloat)
      updated = updateFloat<E>(kind, old, value[i]);
    else
      updated = updateInteger<E>(kind, old, value[i]);
    std::memcpy(element, &updated, sizeof(Storage));
    result[i] = old;
  }
  return success();
}

template <class Bits>
static LogicalResult runCas(Program &program, const Step &step) {
  Access access(program, step, step.operands[0],
                offsetsIn(program, step.operands[1]), sizeof(Bits));
  const Bits *expected = program.data<Bits>(step.operands[2]);
  const Bits *value = program.data<Bits>(step.operands[3]);
  Bits *result = program.data<Bits>(step.results[0]);
  int64_t count = program.slot(step.results[0]).count;
  for (int64_t i = 0; i < count; ++i) {
    uint8_t *element = access.element(i, "update");
    if (!element || failed(access.checkInitialised(element, i)))
      return failure();
    access.touch(element, Touch::Atomic);
    Bits old;
    std::memcpy(&old, element, sizeof(Bits));
    if (old == expected[i])
      std::memcpy(element, &value[i], sizeof(Bits));
    result[i] = old;
  }
  return success();
}

Decoded decodeAtomic(Decoder &decoder, Operation *op, Step &step) {
  if (!isa<AtomicRmwOp, AtomicCasOp>(op))
    return Decoded::Unknown;
  decoder.code.hasAtomics = true;
  Kind kind = decoder.code.slots[step.results[0]].kind;
  if (auto rmw = dyn_cast<AtomicRmwOp>(op)) {
    step.numbers = {rmw.getMask() ? 3 : -1, int64_t(rmw.getKind())};
    step.handler =
        isFloat(kind)
            ? withFloat(kind,
                        [](auto e) -> Handler { return runRmw<decltype(e)>; })
            : withInteger(
                  kind, [](auto e) -> Handler { return runRmw<decltype(e)>; });
    return Decoded::Step;
  }
  switch (bytesOf(kind)) {
  case 2:
    step.handler = runCas<uint16_t>;
    break;
  case 4:
    step.handler = runCas<uint32_t>;
    break;
  default:
    step.handler = runCas<uint64_t>;
    break;
  }
  return Decoded::Step;
}

} // namespace tile::interpreter
