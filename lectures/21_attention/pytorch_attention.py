#!/usr/bin/env python3
# Times PyTorch's fused attention with the sizes of the demo's part `tensor`, and adds the table `pytorch` to the record of the demo.
#
# Run on the same machine, after the demo: python3 lectures/21_attention/pytorch_attention.py [RECORD.json]
# The demo does not need it. PyTorch has several implementations: "default" is the one that it selects.

import json
import pathlib
import sys

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import scaled_dot_product_attention

IMPLEMENTATIONS = {"default": None, "cudnn": SDPBackend.CUDNN_ATTENTION, "flash": SDPBackend.FLASH_ATTENTION}
LENGTHS = (1024, 2048, 4096, 8192, 16384)
ROWS, HEADS, SIZE = 16 * 16384, 16, 128


def microseconds(run, repetitions=21):
    """Returns the median time of a call. As in kit::time, L2 is flushed before each call."""
    flush = torch.empty(256 << 20, dtype=torch.uint8, device="cuda")
    times = []
    for i in range(-3, repetitions):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        flush.zero_()
        begin.record()
        run()
        end.record()
        end.synchronize()
        if i >= 0:
            times.append(1000 * begin.elapsed_time(end))
    return sorted(times)[repetitions // 2]


def measure(length):
    """Returns the row of a length: the time and the rate of each implementation."""
    batch = ROWS // HEADS // length
    q, k, v = (torch.randn(batch, HEADS, length, SIZE, dtype=torch.bfloat16, device="cuda") for _ in range(3))
    row = {"row": f"n{length}", "tokens": length, "heads": batch * HEADS}
    for name, backend in IMPLEMENTATIONS.items():
        def run():
            scaled_dot_product_attention(q, k, v, is_causal=True)
        try:
            if backend is None:
                us = microseconds(run)
            else:
                with sdpa_kernel(backend):
                    us = microseconds(run)
        except RuntimeError as error:
            print(f"{name}, {length} tokens: {error}", file=sys.stderr)
            row[name + "_us"] = row[name] = None
            continue
        row[name + "_us"], row[name] = round(us, 1), round(2e-6 * SIZE * ROWS * length / us, 1)
    return row


def add_to(path, table):
    """Adds the table as text, so that the other lines of the record stay as they are."""
    text = path.read_text()
    record = json.loads(text)
    if record["run"]["device"] != torch.cuda.get_device_name():
        sys.exit(f"{path} is a record of {record['run']['device']}, and this is {torch.cuda.get_device_name()}")
    if any(one["table"] == table["table"] for one in record["tables"]):
        sys.exit(f"{path} already has a table `{table['table']}`. Run the demo with --json again")
    rows = ",\n".join("      " + json.dumps(row) for row in table["rows"])
    head = json.dumps({key: table[key] for key in table if key != "rows"})[1:-1]
    end = text.rindex("]}\n  ]") + 2
    path.write_text(text[:end] + f",\n    {{{head},\n     \"rows\": [\n{rows}\n     ]}}" + text[end:])


def main():
    versions = f"PyTorch {torch.__version__}, cuDNN {torch.backends.cudnn.version()}"
    print(f"{torch.cuda.get_device_name()}, {versions}: TFLOP/s, bfloat16, causal, heads of size {SIZE}")
    rows = []
    for length in LENGTHS:
        rows.append(measure(length))
        print("  ".join(f"{name} {value}" for name, value in rows[-1].items() if name != "row"))
    table = {"table": "pytorch", "kind": "free", "title": f"fused attention of {versions}", "rows": rows}
    if len(sys.argv) > 1:
        add_to(pathlib.Path(sys.argv[1]), table)


main()
