"""
A picture from half of its pixels
=================================

Pictures are sparse in a cosine basis: a few waves make up most of a picture. They can be found from
some of the pixels, and restore the others.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.fft import idctn
from sklearn.datasets import load_sample_image

import regiht

# %%
# A palace in grey, 48 × 48, of which we keep half of the pixels.
size = 48
palace = load_sample_image("china.jpg")[60:348, 220:508].mean(axis=2)
picture = palace.reshape(size, 6, size, 6).mean(axis=(1, 3)) / 255
rng = np.random.default_rng(0)
seen = np.sort(rng.choice(size * size, size * size // 2, replace=False))

# %%
# Column j is wave j at the pixels that we keep.
waves = idctn(np.eye(size * size).reshape(-1, size, size), axes=(1, 2), norm="ortho")
waves = waves.reshape(size * size, -1).T
result = regiht.solve(waves[seen], picture.ravel()[seen], 100, keep=[0], refit=True)
restored = (waves @ result.coef).reshape(size, size)
error = np.linalg.norm(restored - picture) / np.linalg.norm(picture - picture.mean())
print(f"{seen.size} of {size**2} pixels, 100 waves; error {error:.0%} of the contrast")

# %%
shown = np.full(size * size, np.nan)
shown[seen] = picture.ravel()[seen]
figure, axes = plt.subplots(1, 3, figsize=(8, 3), layout="constrained")
pictures = {
    "the picture": picture,
    "half of it": shown.reshape(size, size),
    "from 100 waves": restored,
}
for ax, (title, image) in zip(axes, pictures.items()):
    ax.imshow(image, cmap="gray", vmin=0, vmax=1)
    ax.set_title(title)
    ax.axis("off")
plt.show()
