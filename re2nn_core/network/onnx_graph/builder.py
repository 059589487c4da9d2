"""A graph of ONNX under construction: constants, nodes, and loops over words.

Values are named by strings. The operators and their inputs are those of https://onnx.ai/onnx/operators.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from torch import Tensor

from re2nn_core.errors import InputError

OPSET, IR = 18, 10  # read by onnxruntime from 1.18 on
LARGEST = 2_000_000_000  # bytes: a file of ONNX is one message of protobuf, which may not be larger
FLOAT, INTEGER, TRUTH = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL
_FORWARD, _BACKWARD = 0, 1
Typed = tuple[str, int]  # the name of a value and the type of its entries
Axes = tuple[int, Sequence[str | int]]
Array = Tensor | NDArray[Any] | float | int
# (graph of the body, states, one entry of each sequence) -> (next states, outputs of this word)
Step = Callable[["Graph", list[str], list[str]], tuple[Sequence[str], Sequence[str]]]


class Graph:
    """Nodes in order. A body of a loop is a graph of its own, with the constants and the names of its parent."""

    def __init__(self, parent: Graph | None = None) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = [] if parent is None else parent.constants
        self._numbers: Iterator[int] = count() if parent is None else parent._numbers

    def name(self, kind: str) -> str:
        """A name that no other value has."""
        return f"{kind}_{next(self._numbers)}"

    def constant(self, value: Array, name: str = "constant") -> str:
        """Numbers are single precision, or int64 where they are integers. The axes stay."""
        array = value.detach().cpu().numpy() if isinstance(value, Tensor) else np.asarray(value)
        if array.dtype != np.bool_:
            array = array.astype(np.int64 if np.issubdtype(array.dtype, np.integer) else np.float32)
        found = self.name(name)
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(array).reshape(array.shape), found))
        return found

    def op(self, kind: str, *inputs: str, output: str = "", **attributes: Any) -> str:
        """The value of an operator with one output."""
        found = output or self.name(kind.lower())
        self.nodes.append(helper.make_node(kind, list(inputs), [found], **attributes))
        return found

    def axes(self, *numbers: int) -> str:
        """Axes, sizes or indices as a constant [numbers]."""
        return self.constant(np.asarray(numbers, dtype=np.int64), "axes")

    def dimension(self, value: str, axis: int) -> str:
        """[1]: the size of a value along an axis."""
        return self.op("Shape", value, start=axis, end=axis + 1)

    def rows(self, row: str, like: str, width: int) -> str:
        """[batch, width]: a row [width] for each entry of the first axis of `like`."""
        size = self.op("Concat", self.dimension(like, 0), self.axes(width), axis=0)
        return self.op("Expand", row, size)

    def clamp(self, value: str) -> str:
        """Entries in [0, 1]. The axes stay."""
        return self.op("Clip", value, self.constant(0.0), self.constant(1.0))

    def scan(
        self,
        step: Step,
        states: Sequence[Typed],
        sequences: Sequence[Typed],
        outputs: Sequence[int] = (),
        *,
        backward: bool = False,
    ) -> tuple[list[str], list[str]]:
        """The last states, and of each output [batch, time, ...]. `sequences`: values [batch, time, ...]; `outputs`:
        the types of what the step gives for each word. `backward`: from the last word to the first; outputs stand
        where their words do."""
        body, kept = Graph(self), len(states)
        given = [(self.name("entry"), kind) for _, kind in (*states, *sequences)]
        names = [name for name, _ in given]
        new_states, found = step(body, names[:kept], names[kept:])
        results = [(body.op("Identity", name), kind) for name, kind in _paired((*new_states, *found), states, outputs)]
        graph = helper.make_graph(body.nodes, self.name("body"), _declared(given), _declared(results))
        produced = [self.name("scanned") for _ in results]
        direction = _BACKWARD if backward else _FORWARD
        given_out: dict[str, Any] = {"scan_output_axes": [1], "scan_output_directions": [direction]} if outputs else {}
        attributes: dict[str, Any] = {name: value * len(outputs) for name, value in given_out.items()}
        self.nodes.append(
            helper.make_node(
                "Scan",
                [name for name, _ in (*states, *sequences)],
                produced,
                body=graph,
                num_scan_inputs=len(sequences),
                scan_input_axes=[1] * len(sequences),
                scan_input_directions=[direction] * len(sequences),
                **attributes,
            )
        )
        return produced[:kept], produced[kept:]


def _paired(values: Sequence[str], states: Sequence[Typed], outputs: Sequence[int]) -> list[Typed]:
    return list(zip(values, (*(kind for _, kind in states), *outputs), strict=True))


def _declared(values: Sequence[Typed]) -> list[onnx.ValueInfoProto]:
    return [helper.make_tensor_value_info(name, kind, None) for name, kind in values]


def onnx_bytes(graph: Graph, inputs: Mapping[str, Axes], outputs: Mapping[str, Axes]) -> bytes:
    """The file of a graph whose values have these names, with the type and the names of axes of each. InputError for
    one that is larger than ONNX files may be."""
    size = sum(len(one.raw_data) for one in graph.constants)
    if size > LARGEST:
        raise InputError(
            f"The network has {size / 1e9:.1f} GB of weights, and an ONNX file at most {LARGEST / 1e9:.0f} GB. "
            "Export it with --format folder."
        )
    made = helper.make_model(
        helper.make_graph(graph.nodes, "re2nn", _with_axes(inputs), _with_axes(outputs), initializer=graph.constants),
        opset_imports=[helper.make_opsetid("", OPSET)],
        ir_version=IR,
        producer_name="re2nn",
    )
    onnx.checker.check_model(made)
    written: bytes = made.SerializeToString()
    return written


def _with_axes(values: Mapping[str, Axes]) -> list[onnx.ValueInfoProto]:
    return [helper.make_tensor_value_info(name, kind, axes) for name, (kind, axes) in values.items()]
