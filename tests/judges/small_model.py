"""A model of entailment small enough to read: how many of a claim's words stand in a passage, and whether only the
passage denies. It has the files, the inputs and the shapes of a real one."""

from __future__ import annotations

import json
from pathlib import Path

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

from pytest_webretrieval.judges.probes import PROBES

LABELS = {"0": "CONTRADICTION", "1": "neutral", "2": "ENTAILMENT"}
_SPECIAL = ("[UNK]", "[CLS]", "[SEP]", "not")
_UNK, _CLS, _SEP, _NOT = range(4)


def write_model(folder: Path, text: str, labels: dict[str, str] = LABELS, extra_input: str = "") -> Path:
    """Write the files of a model that knows the words of ``text`` and of the probes."""
    text = " ".join((text, *(said for inputs, _ in PROBES["support"] for said in inputs.values())))
    folder.mkdir(exist_ok=True)
    normalizer, splitter = normalizers.Lowercase(), pre_tokenizers.Whitespace()
    words = dict.fromkeys(
        (*_SPECIAL, *(word for word, _ in splitter.pre_tokenize_str(normalizer.normalize_str(text))))
    )
    tokenizer = Tokenizer(
        models.WordLevel({word: number for number, word in enumerate(words)}, unk_token="[UNK]")
    )
    tokenizer.normalizer, tokenizer.pre_tokenizer = normalizer, splitter
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", _CLS), ("[SEP]", _SEP)],
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "config.json").write_text(json.dumps({"id2label": labels, "max_position_embeddings": 512}))
    onnx.save(_graph(extra_input), str(folder / "model.onnx"))
    return folder


def _graph(extra_input: str) -> onnx.ModelProto:
    """Logits (contradicts, neutral, entails) out of ids and types, all of shape (batch, length)."""
    steps = [
        # 1 where a token is of the claim or the passage and no mark of the tokenizer's
        ("Greater", ["input_ids", "sep"], ["is_word"]),
        ("Equal", ["token_type_ids", "one"], ["in_claim_raw"]),
        ("And", ["in_claim_raw", "is_word"], ["in_claim"]),
        ("Equal", ["token_type_ids", "zero"], ["in_passage_raw"]),
        ("And", ["in_passage_raw", "is_word"], ["in_passage"]),
        # each claim's token beside each of the passage's
        ("Unsqueeze", ["input_ids", "axis2"], ["down"]),
        ("Unsqueeze", ["input_ids", "axis1"], ["across"]),
        ("Equal", ["down", "across"], ["same"]),
        ("Unsqueeze", ["in_passage", "axis1"], ["passage_across"]),
        ("And", ["same", "passage_across"], ["meets"]),
        ("Cast", ["meets"], ["meets_f"]),
        ("ReduceMax", ["meets_f", "axis2"], ["stands"]),
        ("Cast", ["in_claim"], ["claim_f"]),
        ("Mul", ["stands", "claim_f"], ["standing"]),
        ("ReduceSum", ["standing", "axis1"], ["shared"]),
        ("ReduceSum", ["claim_f", "axis1"], ["size"]),
        ("Div", ["shared", "size"], ["share"]),
        # whether one of the two denies and the other does not
        ("Equal", ["input_ids", "deny"], ["denies"]),
        ("Cast", ["denies"], ["denies_f"]),
        ("Cast", ["in_passage"], ["passage_f"]),
        ("Mul", ["denies_f", "claim_f"], ["claim_denies_each"]),
        ("Mul", ["denies_f", "passage_f"], ["passage_denies_each"]),
        ("ReduceMax", ["claim_denies_each", "axis1"], ["claim_denies"]),
        ("ReduceMax", ["passage_denies_each", "axis1"], ["passage_denies"]),
        ("Sub", ["claim_denies", "passage_denies"], ["apart_signed"]),
        ("Abs", ["apart_signed"], ["apart"]),
        ("Sub", ["share", "enough"], ["above"]),
        ("Mul", ["above", "steep"], ["said"]),
        ("Sub", ["one_f", "apart"], ["alike"]),
        ("Sub", ["share", "half"], ["about"]),
        ("Mul", ["about", "steep"], ["close"]),
        ("Mul", ["said", "alike"], ["entails_raw"]),
        ("Mul", ["apart", "far"], ["apart_far"]),
        ("Sub", ["entails_raw", "apart_far"], ["entails"]),
        ("Mul", ["close", "apart"], ["contradicts_raw"]),
        ("Mul", ["alike", "far"], ["alike_far"]),
        ("Sub", ["contradicts_raw", "alike_far"], ["contradicts"]),
        ("Mul", ["entails", "zero_f"], ["neutral"]),
        ("Concat", ["contradicts", "neutral", "entails"], ["logits"]),
    ]
    attributes = {
        "Cast": {"to": TensorProto.FLOAT}, "Concat": {"axis": 1},
        "ReduceMax": {"keepdims": 0}, "ReduceSum": {"keepdims": 0},
    }  # fmt: skip
    # scores of one figure a pair keep their axis, to be joined
    kept = {"shared", "size", "claim_denies", "passage_denies"}
    nodes = [
        helper.make_node(
            name,
            inputs,
            outputs,
            **attributes.get(name, {}) | ({"keepdims": 1} if outputs[0] in kept else {}),
        )
        for name, inputs, outputs in steps
    ]
    integers = {"one": 1, "zero": 0, "sep": _SEP, "deny": _NOT}
    numbers = {
        "enough": 0.8, "half": 0.5, "steep": 60.0, "one_f": 1.0, "zero_f": 0.0, "far": 30.0,
    }  # fmt: skip
    constants = [
        *(
            numpy_helper.from_array(numpy.array([value], numpy.int64), name)
            for name, value in integers.items()
        ),
        *(
            numpy_helper.from_array(numpy.array([value], numpy.float32), name)
            for name, value in numbers.items()
        ),
        numpy_helper.from_array(numpy.array([1], numpy.int64), "axis1"),
        numpy_helper.from_array(numpy.array([2], numpy.int64), "axis2"),
    ]
    names = ["input_ids", "token_type_ids", *([extra_input] if extra_input else [])]
    graph = helper.make_graph(
        nodes,
        "overlap",
        [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"]) for name in names],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", 3])],
        constants,
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
