"""Makes the model folders of the load benchmark, once: random weights in the layout that Diffusers itself writes.

A folder counts as complete when the file `made.json` in it holds the wish it was made for; that file is written last.
"""

import argparse
import json
import math
import shutil
import sys
from pathlib import Path

MARKER = "made.json"
MAX_SHARD_BYTES = 1_000_000_000
# What one layer holds, in elements. Layers are as wide as those of Qwen-Image, so that pieces of them are as long; there are fewer.
TRANSFORMER_LAYER, TRANSFORMER_REST = 340_000_000, 41_000_000
ENCODER_LAYER, ENCODER_REST = 233_000_000, 30_000_000
# Of all elements, as in Qwen-Image (20 of 27 billion).
TRANSFORMER_SHARE = 0.73
SHARDS_OF_MANY = 100


def is_made(folder, wish):
    marker = folder / MARKER
    return marker.exists() and json.loads(marker.read_text()) == wish


def start_afresh(folder, demo):
    """An empty folder but for what needs no sizes: tokenizer, scheduler, model index."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    shutil.copy(demo / "model_index.json", folder)
    for part in ("tokenizer", "scheduler"):
        shutil.copytree(demo / part, folder / part)


def finish(folder, wish):
    (folder / MARKER).write_text(json.dumps(wish))


def filled(build, dtype):
    """The model that `build` makes, without its own slow initialisation: every parameter uniform in [-0.05, 0.05)."""
    import torch

    with torch.device("meta"):
        model = build()
    model.to(dtype).to_empty(device="cpu")
    if hasattr(model, "tie_weights"):
        model.tie_weights()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.uniform_(-0.05, 0.05)
    return model


def read_config(folder):
    config = json.loads((folder / "config.json").read_text())
    return {key: value for key, value in config.items() if not key.startswith("_")}


def transformer(demo, layers, dtype):
    from diffusers import QwenImageTransformer2DModel

    config = read_config(demo / "transformer") | {
        "num_layers": layers,
        "num_attention_heads": 24,
        "attention_head_dim": 128,
        "axes_dims_rope": [16, 56, 56],
        "joint_attention_dim": 3584,
    }
    return filled(lambda: QwenImageTransformer2DModel(**config), dtype)


def text_encoder(demo, layers, dtype):
    from transformers import Qwen2_5_VLConfig, Qwen2_5_VLForConditionalGeneration

    config = read_config(demo / "text_encoder")
    config["text_config"] |= {
        "hidden_size": 3584,
        "intermediate_size": 18_944,
        "num_hidden_layers": layers,
        "layer_types": ["full_attention"] * layers,
        "num_attention_heads": 28,
        "num_key_value_heads": 4,
        "vocab_size": 8192,
        "rope_parameters": {"mrope_section": [16, 24, 24], "rope_theta": 1e6, "rope_type": "default"},
    }
    config["vision_config"] |= {"out_hidden_size": 3584}
    return filled(lambda: Qwen2_5_VLForConditionalGeneration(Qwen2_5_VLConfig(**config)), dtype)


def vae(demo, dtype):
    from diffusers import AutoencoderKLQwenImage

    return filled(lambda: AutoencoderKLQwenImage(**(read_config(demo / "vae") | {"base_dim": 32})), dtype)


def layers_for(share, total, layer, rest):
    return (share * total - rest) / layer


def make_large(folder, demo, dtype_name, gigabytes):
    """A Qwen-Image pipeline of at least that many bytes on disk, each component in shards of at most 1 GB."""
    wish = {"dtype": dtype_name, "gigabytes": gigabytes, "layout": 3}
    if is_made(folder, wish):
        return
    import torch
    from diffusers.utils import logging
    from transformers.utils.logging import disable_progress_bar

    # Else they warn of casts, which matter to weights that mean something, and draw bars.
    logging.set_verbosity_error()
    disable_progress_bar()
    print(f"bench: making {folder} ({gigabytes} GB) ...", file=sys.stderr)
    dtype = getattr(torch, dtype_name)
    elements = gigabytes * 1e9 / dtype.itemsize
    blocks = math.ceil(layers_for(TRANSFORMER_SHARE, elements, TRANSFORMER_LAYER, TRANSFORMER_REST))
    layers = max(1, round(layers_for(1 - TRANSFORMER_SHARE, elements, ENCODER_LAYER, ENCODER_REST)))
    start_afresh(folder, demo)
    for name, build in (
        ("vae", lambda: vae(demo, dtype)),
        ("text_encoder", lambda: text_encoder(demo, layers, dtype)),
        ("transformer", lambda: transformer(demo, blocks, dtype)),
    ):
        build().save_pretrained(folder / name, max_shard_size=MAX_SHARD_BYTES)
    finish(folder, wish)


def make_many_shards(folder, demo):
    """The demo model, its transformer spread over 100 files: what opening them costs is all there is to see."""
    wish = {"shards": SHARDS_OF_MANY, "layout": 1}
    if is_made(folder, wish):
        return
    start_afresh(folder, demo)
    for part in ("text_encoder", "vae"):
        shutil.copytree(demo / part, folder / part)
    from safetensors.torch import load_file, save_file

    target = folder / "transformer"
    target.mkdir()
    shutil.copy(demo / "transformer" / "config.json", target)
    tensors = {}
    for file in sorted((demo / "transformer").glob("*.safetensors")):
        tensors |= load_file(file)
    names = sorted(tensors)
    shard_of = {}
    for number in range(SHARDS_OF_MANY):
        shard = f"diffusion_pytorch_model-{number + 1:05}-of-{SHARDS_OF_MANY:05}.safetensors"
        own = names[number::SHARDS_OF_MANY]
        save_file({name: tensors[name] for name in own}, target / shard, {"format": "pt"})
        shard_of |= dict.fromkeys(own, shard)
    total = sum(tensor.nbytes for tensor in tensors.values())
    index = {"metadata": {"total_size": total}, "weight_map": shard_of}
    (target / "diffusion_pytorch_model.safetensors.index.json").write_text(json.dumps(index))
    finish(folder, wish)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--demo", type=Path, required=True, help="model that lends tokenizer and configurations")
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--kind", required=True, choices=["float32", "bfloat16", "many-shards"])
    parser.add_argument("--gigabytes", type=float, help="size on disk, for the first two kinds")
    args = parser.parse_args()
    if args.kind == "many-shards":
        make_many_shards(args.folder, args.demo)
    else:
        make_large(args.folder, args.demo, args.kind, args.gigabytes)


if __name__ == "__main__":
    main()
