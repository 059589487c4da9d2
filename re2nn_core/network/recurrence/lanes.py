"""Sixteen numbers at once in code that numba compiles.

numba turns a loop over positions into such instructions only after it has looked, each time, whether the arrays
overlap, which takes longer than the loops of machine_loops.py. Here they are written down: a value of type Lanes stands
for LANES entries of a row, one behind the other, and becomes as many instructions as the processor needs. Arrays are
[rows, positions], in that order in memory; nothing is checked of places. This file needs numba.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.extending import intrinsic, models, register_model
from numba.np import arrayobj

LANES = 16
_code: Callable[[Callable[..., Any]], Any] = intrinsic
_CONTRACT = ("contract",)  # a product and a sum may be one instruction


class Lanes(types.Type):
    """The type of LANES numbers of a precision."""

    def __init__(self, dtype: Any) -> None:
        self.dtype = dtype
        super().__init__(name=f"Lanes({dtype})")


@register_model(Lanes)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, own: Any) -> None:
        super().__init__(manager, own, _vector(own.dtype))


def _vector(dtype: Any) -> Any:
    return ir.VectorType(ir.DoubleType() if dtype == types.float64 else ir.FloatType(), LANES)


def _everywhere(builder: Any, number: Any) -> Any:
    """A number in all lanes."""
    vector = ir.VectorType(number.type, LANES)
    one = builder.insert_element(ir.Constant(vector, ir.Undefined), number, ir.Constant(ir.IntType(32), 0))
    places = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
    return builder.shuffle_vector(one, ir.Constant(vector, ir.Undefined), places)


def _pointer(context: Any, builder: Any, array_type: Any, values: tuple[Any, Any, Any]) -> Any:
    array, row, place = values
    made = arrayobj.make_array(array_type)(context, builder, array)
    columns = cgutils.unpack_tuple(builder, made.shape)[1]
    first = builder.gep(made.data, [builder.add(builder.mul(row, columns), place)])
    return builder.bitcast(first, _vector(array_type.dtype).as_pointer())


def _size(dtype: Any) -> int:
    return int(dtype.bitwidth) // 8


@_code
def nothing(_: Any, values: Any) -> Any:
    """Zeros of the precision of an array."""

    def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        return ir.Constant(_vector(values.dtype), None)

    return Lanes(values.dtype)(values), code


@_code
def load(_: Any, values: Any, row: Any, place: Any) -> Any:
    """The entries of a row from a place on."""

    def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        return builder.load(_pointer(context, builder, signature.args[0], given), align=_size(values.dtype))

    return Lanes(values.dtype)(values, types.uint64, types.uint64), code


@_code
def store(_: Any, values: Any, row: Any, place: Any, lanes: Any) -> Any:
    """Write them."""

    def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        pointer = _pointer(context, builder, signature.args[0], given[:3])
        builder.store(given[3], pointer, align=_size(values.dtype))
        return context.get_dummy_value()

    return types.void(values, types.uint64, types.uint64, lanes), code


@_code
def weighted(_: Any, total: Any, weight: Any, lanes: Any) -> Any:
    """total + weight * lanes"""

    def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        product = builder.fmul(_everywhere(builder, given[1]), given[2], flags=_CONTRACT)
        return builder.fadd(product, given[0], flags=_CONTRACT)

    return total(total, total.dtype, lanes), code


@_code
def added(_: Any, total: Any, one: Any, other: Any) -> Any:
    """total + one * other"""

    def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        return builder.fadd(builder.fmul(given[1], given[2], flags=_CONTRACT), given[0], flags=_CONTRACT)

    return total(total, one, other), code


@_code
def times(_: Any, one: Any, other: Any) -> Any:
    """one * other"""

    def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        return builder.fmul(*given)

    return one(one, other), code


@_code
def clamped(_: Any, lanes: Any) -> Any:
    """Between 0 and 1; what is no number stays so."""

    def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        zero, one = (ir.Constant(_vector(lanes.dtype), [bound] * LANES) for bound in (0.0, 1.0))
        above = builder.select(builder.fcmp_ordered("<", given[0], zero), zero, given[0])
        return builder.select(builder.fcmp_ordered(">", above, one), one, above)

    return lanes(lanes), code


@_code
def through_clamp(_: Any, gradient: Any, values: Any, slope: Any) -> Any:
    """The gradient of values from that of the clamped ones, times slope outside of [0, 1]."""

    def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        zero, one = (ir.Constant(_vector(values.dtype), [bound] * LANES) for bound in (0.0, 1.0))
        inside = builder.and_(builder.fcmp_ordered(">=", given[1], zero), builder.fcmp_ordered("<=", given[1], one))
        return builder.select(inside, given[0], builder.fmul(_everywhere(builder, given[2]), given[0]))

    return gradient(gradient, values, gradient.dtype), code


@_code
def total_of(_: Any, lanes: Any) -> Any:
    """The sum of all lanes."""

    def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        left, width = given[0], LANES
        while width > 1:
            width //= 2
            halves = (
                ir.Constant(ir.VectorType(ir.IntType(32), width), list(range(begin, begin + width)))
                for begin in (0, width)
            )
            undefined = ir.Constant(left.type, ir.Undefined)
            one, other = (builder.shuffle_vector(left, undefined, places) for places in halves)
            left = builder.fadd(one, other)
        return builder.extract_element(left, ir.Constant(ir.IntType(32), 0))

    return lanes.dtype(lanes), code
