//===- GivenTensors.cpp - Tensors of the command line ---------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Npy.h"
#include "Number.h"
#include "RunBinder.h"

#include "tile/Frontend/Vocabulary.h"

using namespace tile;
using namespace tile::run;
using frontend::RunArgument;
using frontend::RunKernel;
using runtime::Result;

/// Elements that are a type parameter's are of the type that it has.
BindResult RunBinder::checkGivenElements(const ArgumentSpec &spec) const {
  auto nameOf = [](runtime::ElementType type) {
    return frontend::languageTypeName(runtime::stringify(type)).str();
  };
  for (const RunKernel &kernel : block.kernels)
    for (const RunArgument &argument : kernel.arguments) {
      auto known = types.find(argument.element);
      if (argument.name != spec.name || known == types.end() ||
          spec.kind == ArgumentSpec::Kind::File)
        continue;
      std::optional<runtime::ElementType> type = readElementType(known->second);
      if (!type || *type == spec.shape.type)
        continue;
      std::string got = nameOf(spec.shape.type);
      return PlacedError{{},
                         "argument '" + spec.name + "': expected elements of " +
                             nameOf(*type) + ", which is '" + argument.element +
                             "', got " + got + "; '" + argument.element + "=" +
                             got + "' changes it"};
    }
  return {};
}

/// A tensor of the command line, whose file may give it its shape.
BindResult RunBinder::takeTensor(ArgumentSpec spec) {
  if (spec.kind == ArgumentSpec::Kind::File) {
    Result<NpyArray> array = readNpy(spec.fill.file);
    if (!array)
      return PlacedError{
          {}, "argument '" + spec.name + "': " + array.error().text()};
    spec.shape.sides = array->sides;
    spec.shape.strides = rowMajorStrides(array->sides);
  }
  if (BindResult error = checkGivenElements(spec))
    return error;
  tensors[spec.name] = spec;
  return {};
}

/// Where no block says anything, the command line does.
BindResult RunBinder::bindGivenTensors() {
  if (!block.bindings.empty())
    return {};
  for (const RunArgument &argument : block.kernels[0].arguments) {
    const ArgumentSpec *given = findGiven(argument.name);
    if (!argument.sides.empty() && given &&
        given->kind != ArgumentSpec::Kind::Scalar)
      if (BindResult error = takeTensor(*given))
        return error;
  }
  return {};
}
