//===- Habits.cpp - What to write instead of foreign words ----------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ForeignWords.h"

using namespace llvm;
using namespace tile::frontend;

ArrayRef<Habit> tile::frontend::habits() {
  static constexpr Habit kHabits[] = {
      // Functions
      {Habit::Function, "maximum", "write 'max(a, b)'"},
      {Habit::Function, "minimum", "write 'min(a, b)'"},
      {Habit::Function, "expand_dims unsqueeze", "write 'x[:, None]'"},
      {Habit::Function, "permute transpose", "write 'trans(x, 1, 0)'"},
      {Habit::Function, "ravel view squeeze", "write 'reshape(x, n)'"},
      {Habit::Function, "broadcast",
       "leave it out: operators broadcast, as in 'x[:, None] + y[None, :]'"},
      {Habit::Function, "multiple_of max_contiguous assume",
       "state facts at the argument, as in 'n: i32 divisible(16)'"},
      {Habit::Function, "zeros_like full_like",
       "write 'zeros<f32>[side(x, 0), side(x, 1)]'"},
      {Habit::Function, "ones ones_like", "write 'full<f32>[m, n](1)'"},
      {Habit::Function, "sigmoid", "write '1 / (1 + exp(-x))'"},
      {Habit::Function, "relu", "write 'max(x, 0)'"},
      {Habit::Function, "rcp reciprocal", "write '1 / x'"},
      {Habit::Function, "isnan", "write 'x != x'"},
      {Habit::Function, "isinf", "write 'abs(x) == inf'"},
      {Habit::Function, "softmax",
       "write 'let e = exp(x - max(x, axis = 1)[:, None])' and divide by its "
       "sum"},
      {Habit::Function, "cast to astype", "write 'x as f16'"},
      {Habit::Function, "range", "write 'for i in 0..n'"},
      {Habit::Function, "static_range tl_static_range",
       "write 'static for i in 0..n'"},
      {Habit::Function, "static_assert",
       "write 'static assert(condition, \"message\")'"},
      {Habit::Function, "device_print printf println cout fprintf",
       "write 'print(\"label\", x)'"},
      {Habit::Function, "device_assert",
       "write 'assert(condition, \"message\")'"},
      {Habit::Function, "powf power", "write 'pow(x, y)'"},
      {Habit::Function, "fdiv div_rn",
       "write 'a / b', which rounds to nearest"},
      {Habit::Function, "sqrt_rn", "write 'sqrt(x)', which rounds to nearest"},
      {Habit::Function, "make_block_ptr make_tensor_descriptor",
       "take the tensor as an argument, 'a: [M, N] f16', and index it: "
       "'a[i, j]'"},
      {Habit::Function, "debug_barrier __syncthreads syncthreads barrier",
       "leave it out: barriers are the compiler's"},
      {Habit::Function, "mean average",
       "write 'sum(x) / (n as f32)', with n the number of elements that count"},
      {Habit::Function, "len", "write 'side(x, 0)'"},
      {Habit::Function, "associative_scan", "write 'scan(x, 0, f)'"},
      {Habit::Function, "xor_sum",
       "write 'reduce(x, 0, f)' with 'fn f(a, b) { return a ^ b }'"},
      {Habit::Function, "swizzle2d",
       "write 'let row, column = grouped(id, m, n, g)'"},
      {Habit::Function, "rand randn randint rand4x randn4x randint4x philox",
       "there is none: a helper function of 'umulhi(a, b)' and "
       "'wrapping_mul(a, b)' makes random numbers"},
      {Habit::Function, "cat join interleave concat concatenate",
       "there is none: store each tile to its own place"},
      {Habit::Function, "split",
       "there is none: load each half from its own place"},
      {Habit::Function, "histogram",
       "there is none: count by 'atomic_add(p, 1)'"},
      {Habit::Function,
       "sort topk gather flip dot_scaled inline_asm_elementwise static_print "
       "argsort",
       "there is nothing of this kind"},

      // Statements
      {Habit::Statement, "import from use using include",
       "a file is complete: functions of the language need no import"},
      {Habit::Statement, "loop", "write 'while true { ... }'"},
      {Habit::Statement, "do repeat", "write 'while condition { ... }'"},
      {Habit::Statement, "until", "write 'while not condition { ... }'"},
      {Habit::Statement, "unless", "write 'if not condition { ... }'"},
      {Habit::Statement, "foreach parallel_for",
       "write 'for i in 0..n { ... }'"},
      {Habit::Statement, "match switch case",
       "write 'if a { ... } else if b { ... } else { ... }'"},
      {Habit::Statement, "try catch except raise throw panic",
       "nothing is thrown: 'assert(condition, \"message\")' stops the program"},
      {Habit::Statement, "assert", "write 'assert(condition, \"message\")'"},
      {Habit::Statement, "print", "write 'print(\"label\", x)'"},
      {Habit::Statement, "del delete free", "a name ends with its block"},
      {Habit::Statement, "global nonlocal",
       "a variable of a block around this one can be changed here"},
      {Habit::Statement, "__shared__ __local__ shared extern",
       "leave it out: what shared memory holds is the compiler's"},
      {Habit::Statement, "goto yield await with unsafe",
       "there is nothing of this kind"},
      {Habit::Statement, "class struct enum typedef type def function func",
       "functions, 'fn name(x) { ... }', stand outside of kernels; there are "
       "no types to define"},

      // Names of arguments
      {Habit::Argument, "keep_dims keepdims",
       "write '[:, None]' behind the call"},
      {Habit::Argument, "return_indices",
       "write 'argmax(x, axis = 1)' beside it"},
      {Habit::Argument, "dtype", "write 'as f32' behind the value"},
      {Habit::Argument, "dim", "write 'axis'"},
      {Habit::Argument, "input_precision=ieee allow_tf32=false",
       "write 'precision = ieee', or leave it out: f32 is ieee"},
      {Habit::Argument, "input_precision=tf32 allow_tf32=true",
       "write 'precision = tf32'"},
      {Habit::Argument, "input_precision=tf32x3", "write 'precision = tf32x3'"},
      {Habit::Argument, "input_precision allow_tf32",
       "write 'precision = tf32', or leave it out: f32 is ieee"},
      {Habit::Argument, "out_dtype",
       "the result has the accumulator's type: 'dot(a, b, zeros<f16>[m, n])'"},
      {Habit::Argument, "max_num_imprecise_acc", "write 'promote_every = n'"},
      {Habit::Argument, "cache_modifier eviction_policy volatile",
       "leave it out: how memory is cached is the compiler's"},
      {Habit::Argument, "boundary_check padding_option",
       "parts of a tensor, 'a[i, j, other = 0]', end at its sides"},
      {Habit::Argument, "sem scope",
       "leave it out: updates are relaxed, and hold on the whole GPU"},

      // Names
      {Habit::Name, "True", "write 'true'"},
      {Habit::Name, "False", "write 'false'"},
      {Habit::Name, "pass", "an empty block is '{ }'"},
      {Habit::Name, "loop", "write 'while true { ... }'"},
      {Habit::Name, "int float double auto const unsigned",
       "write 'let x = ...', or 'var x = ...' if it changes"},
      {Habit::Name, "match switch",
       "write 'if a { ... } else if b { ... } else { ... }'"},
      {Habit::Name, "null nullptr NULL nil",
       "a pointer is never null; 'mask = ...' leaves lanes out"},
      {Habit::Name, "blockIdx threadIdx blockDim gridDim",
       "write 'program_id(0)' for the block; what threads do is the "
       "compiler's, and 'arange(n)' numbers lanes"},
      {Habit::Name, "tl triton libdevice math",
       "functions stand alone: 'load(p)', without a name and a point in front"},
  };
  return kHabits;
}
