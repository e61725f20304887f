"""The peer: Diffusers loads a pipeline on the CPU and touches every page of every tensor; prints one line of JSON.

Afterwards it holds the weights until its standard input ends, so that its memory can be looked at.
The switches of parallel loading are those of the environment, as for any user of Diffusers.
"""

# Everything that loading needs is imported here, before the clock starts.
import argparse
import json
import os
import sys
from pathlib import Path

import diffusers.guiders  # noqa: F401
import torch
from diffusers import AutoencoderKLQwenImage, DiffusionPipeline, QwenImagePipeline, QwenImageTransformer2DModel  # noqa: F401
from diffusers.utils import logging
from process_figures import PAGE, LoadFigures
from transformers import Qwen2_5_VLForConditionalGeneration, Qwen2Tokenizer  # noqa: F401

# How the weights are read: as Diffusers does by default; with its `disable_mmap=True`, which 0.42.1 hands to its own models
# but not to the text encoder of Transformers; and with the text encoder loaded by hand so that it too is read.
MODES = ["default", "disable_mmap", "all_read"]


def load(model, dtype, mode):
    parts = {}
    if mode == "all_read":
        parts["text_encoder"] = Qwen2_5_VLForConditionalGeneration.from_pretrained(
            model / "text_encoder", dtype=dtype, disable_mmap=True
        )
    return DiffusionPipeline.from_pretrained(model, dtype=dtype, disable_mmap=mode != "default", **parts)


def stored_tensors(pipeline):
    """Every parameter and saved buffer, once."""
    tensors = {}
    for component in pipeline.components.values():
        if isinstance(component, torch.nn.Module):
            tensors |= {tensor.data_ptr(): tensor for tensor in component.state_dict().values()}
    return list(tensors.values())


def touch(tensor):
    flat = tensor.detach().view(-1).view(torch.uint8)
    flat[::PAGE].sum()
    flat[-1].item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--dtype", required=True, choices=["float32", "bfloat16"])
    parser.add_argument("--mode", required=True, choices=MODES)
    args = parser.parse_args()
    torch.set_num_threads(int(os.environ["OMP_NUM_THREADS"]))
    logging.disable_progress_bar()

    figures = LoadFigures()
    figures.start()
    pipeline = load(args.model, getattr(torch, args.dtype), args.mode)
    tensors = stored_tensors(pipeline)
    for tensor in tensors:
        touch(tensor)
    result = figures.end()
    result["bytes"] = sum(tensor.nbytes for tensor in tensors)
    result["rank"] = int(os.environ.get("RANK", "0"))
    print(json.dumps(result), flush=True)
    sys.stdin.read()


main()
