"""The peer: Diffusers with Accelerate sharing the prompts among the workers that torchrun started.

Appends `<event> <nanoseconds since the epoch> <rank>` to the file named by BENCH_TRACE, the events that jdiff's workers write
with JDIFF_TRACE: start, loaded, first_step (the first denoising step begins), step (one has ended), done.
"""

import os
import time

TRACE = os.environ["BENCH_TRACE"]
RANK = os.environ.get("RANK", "0")


def trace(event):
    with open(TRACE, "a") as file:
        file.write(f"{event} {time.time_ns()} {RANK}\n")


trace("start")

import argparse
from pathlib import Path

import torch
from accelerate import PartialState
from diffusers import DiffusionPipeline


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", required=True)
    parser.add_argument("--prompts-file", type=Path, required=True)
    parser.add_argument("--output-dir", type=Path, required=True)
    parser.add_argument("--dtype", required=True)
    parser.add_argument("--num-inference-steps", type=int, required=True)
    parser.add_argument("--size", type=int, required=True)
    parser.add_argument("--threads", type=int, required=True)
    args = parser.parse_args()

    torch.set_num_threads(args.threads)
    state = PartialState(cpu=not torch.cuda.is_available())
    pipe = DiffusionPipeline.from_pretrained(args.model, torch_dtype=getattr(torch, args.dtype)).to(state.device)
    pipe.set_progress_bar_config(disable=True)
    trace("loaded")

    def first(module, inputs):
        trace("first_step")
        hook.remove()

    def ended(pipe, index, timestep, values):
        trace("step")
        return values

    hook = pipe.transformer.register_forward_pre_hook(first)
    args.output_dir.mkdir(parents=True, exist_ok=True)
    prompts = list(enumerate(args.prompts_file.read_text().splitlines()))
    with state.split_between_processes(prompts) as mine:
        for index, prompt in mine:
            image = pipe(
                prompt=prompt,
                negative_prompt=" ",
                true_cfg_scale=4.0,
                num_inference_steps=args.num_inference_steps,
                height=args.size,
                width=args.size,
                generator=torch.Generator("cpu").manual_seed(index),
                callback_on_step_end=ended,
            ).images[0]
            image.save(args.output_dir / f"{index:05d}.png")
    trace("done")
    state.wait_for_everyone()


main()
