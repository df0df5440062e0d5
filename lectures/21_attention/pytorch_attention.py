#!/usr/bin/env python3
# Times the fused attention of PyTorch on the sizes of the demo's table `fused`, for a comparison in the same run.
import sys
import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

BACKENDS = {"default": None, "flash": SDPBackend.FLASH_ATTENTION, "cudnn": SDPBackend.CUDNN_ATTENTION}
LENGTHS = (1024, 2048, 4096, 8192, 16384)
TOKENS, HEADS, HEAD = 16384, 16, 128


def times(run, repetitions=21):
    """Returns the median time in ms after a flush of L2, and the mean time of calls that follow each other."""
    flush = torch.empty(256 << 20, dtype=torch.uint8, device="cuda")
    for _ in range(3):
        run()
    cold = []
    for _ in range(repetitions):
        flush.zero_()
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        run()
        end.record()
        end.synchronize()
        cold.append(begin.elapsed_time(end))
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    begin.record()
    for _ in range(repetitions):
        run()
    end.record()
    end.synchronize()
    return sorted(cold)[repetitions // 2], begin.elapsed_time(end) / repetitions


print(torch.cuda.get_device_name(), "PyTorch", torch.__version__, "cuDNN", torch.backends.cudnn.version())
for length in LENGTHS:
    q, k, v = (torch.randn(TOKENS // length, HEADS, length, HEAD, dtype=torch.bfloat16, device="cuda") for _ in range(3))
    for name, backend in BACKENDS.items():
        def run():
            return F.scaled_dot_product_attention(q, k, v, is_causal=True)
        try:
            if backend is None:
                cold, row = times(run)
            else:
                with sdpa_kernel(backend):
                    cold, row = times(run)
        except RuntimeError as error:
            print(f"{name:10} length {length:5}  refused: {str(error).splitlines()[0]}")
            continue
        work = 2.0 * TOKENS * HEADS * HEAD * length * 1e-9
        print(f"{name:10} length {length:5}  cold {cold:8.4f} ms {work / cold:6.1f} TFLOP/s   in a row {row:8.4f} ms {work / row:6.1f} TFLOP/s")
