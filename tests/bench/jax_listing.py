"""The paper's listing (appendix A), trained by JAX, Flax and Optax; timed, and checked against ours.

    jax_listing.py time STEPS THREADS     ms per step, the median over five runs
    jax_listing.py check HEAD EXPECTED    class logits of a checkpoint of ours in the listing, against
                                          those in EXPECTED (dispersion_lab logits)
"""

import json
import statistics
import sys
import time
from typing import Callable

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax

CLASSES = 10
BATCH = 128
SIZES = range(5, 17)


class Model(nn.Module):
    """As printed in the paper."""

    n_classes: int = CLASSES
    n_feats: int = 128
    activation: Callable = nn.gelu

    @nn.compact
    def __call__(self, x, q):
        x = self.activation(nn.Dense(self.n_feats)(x))
        x = self.activation(nn.Dense(self.n_feats)(x))
        q = self.activation(nn.Dense(self.n_feats)(q))
        q = nn.Dense(self.n_feats)(q)
        x = nn.MultiHeadDotProductAttention(num_heads=1, qkv_features=self.n_feats)(q, x)
        x = self.activation(nn.Dense(self.n_feats)(jnp.squeeze(x, -2)))
        return nn.Dense(self.n_classes)(x)


# Our tensor names, in the order in which the listing makes its layers.
ATTENTION = "MultiHeadDotProductAttention_0"
LAYERS = {
    "item_mlp.0": "Dense_0",
    "item_mlp.1": "Dense_1",
    "query_mlp.0": "Dense_2",
    "query_mlp.1": "Dense_3",
    "readout_mlp.0": "Dense_4",
    "readout_mlp.1": "Dense_5",
}


def draw(random, size):
    rho = random.random((BATCH, size), dtype=np.float32)
    kind = random.integers(0, CLASSES, (BATCH, size))
    items = np.concatenate([rho[..., None], np.eye(CLASSES, dtype=np.float32)[kind]], axis=-1)
    query = random.random((BATCH, 1, 1), dtype=np.float32)
    label = np.take_along_axis(kind, rho.argmax(1)[:, None], 1)[:, 0]
    return jnp.asarray(items), jnp.asarray(query), jnp.asarray(label)


def make_step(model, optimiser):
    def loss(parameters, items, query, label):
        logits = model.apply({"params": parameters}, items, query)
        cross_entropy = optax.softmax_cross_entropy_with_integer_labels(logits, label).mean()
        kernels = [w for w in jax.tree_util.tree_leaves(parameters) if w.ndim > 1]
        return cross_entropy + 0.5e-3 * sum(jnp.sum(w * w) for w in kernels)

    def step(parameters, state, items, query, label):
        value, gradient = jax.value_and_grad(loss)(parameters, items, query, label)
        updates, state = optimiser.update(gradient, state)
        return optax.apply_updates(parameters, updates), state, value

    return jax.jit(step, donate_argnums=(0, 1))


def time_steps(steps):
    model = Model()
    optimiser = optax.adam(1e-3)
    random = np.random.default_rng(1)
    # Batches are drawn beforehand: only steps are timed. Ours draws its own.
    batches = [draw(random, size) for size in SIZES]
    parameters = model.init(jax.random.PRNGKey(1), *batches[0][:2])["params"]
    state = optimiser.init(parameters)
    step = make_step(model, optimiser)
    for batch in batches:  # one compiled step per size
        parameters, state, value = step(parameters, state, *batch)
    value.block_until_ready()
    order = random.integers(0, len(batches), steps)
    times = []
    for _ in range(5):
        begin = time.perf_counter()
        for index in order:
            parameters, state, value = step(parameters, state, *batches[index])
        value.block_until_ready()
        times.append((time.perf_counter() - begin) / steps * 1e3)
    print(f"{statistics.median(times):.4f}")


def listing_parameters(path):
    from safetensors.numpy import load_file

    tensors = load_file(path)
    parameters = {ATTENTION: {}}
    for ours, theirs in LAYERS.items():
        parameters[theirs] = {part: tensors[f"{ours}.{part}"] for part in ("kernel", "bias")}
    for name in ("query", "key", "value"):
        parameters[ATTENTION][name] = {
            "kernel": tensors[f"attention.{name}.kernel"][:, None, :],
            "bias": tensors[f"attention.{name}.bias"][None, :],
        }
    parameters[ATTENTION]["out"] = {
        "kernel": tensors["attention.out.kernel"][None, :, :],
        "bias": tensors["attention.out.bias"],
    }
    return parameters


def check(head, expected):
    with open(expected, encoding="utf-8") as file:
        ours = json.load(file)
    rho = np.asarray(ours["priority"], np.float32)
    kind = np.asarray(ours["class"])
    items = np.concatenate([rho[..., None], np.eye(CLASSES, dtype=np.float32)[kind]], axis=-1)
    query = np.asarray(ours["query"], np.float32)[:, None, None]
    with jax.default_matmul_precision("highest"):
        theirs = Model().apply({"params": listing_parameters(head)}, items, query)
    difference = float(np.abs(np.asarray(theirs) - np.asarray(ours["class_logits"])).max())
    print(f"{difference:.2e}")
    if not difference <= 1e-4:
        sys.exit(f"class logits differ by {difference:.2e}; at most 1e-4 was expected")


if __name__ == "__main__":
    if sys.argv[1:2] == ["time"]:
        time_steps(int(sys.argv[2]))
    else:
        check(sys.argv[2], sys.argv[3])
