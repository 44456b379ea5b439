"""Training: loss, learning rate over time, the loop, checkpoints, and where it runs.

trainer = Trainer(model.to(device()), Batches(pairs, max_tokens=1600, vocabulary=vocabulary), held_out=held_out)
trainer.train(2000, show=LivePlot())  # or show=LastCheckpoints(folder), then load_average(last.paths, model)
save_weights("model.safetensors", model, {"command": "…"})

trainer.py     the loop; losses.py: the loss; adam.py: Adam as its equations stand; schedules.py: the rate over time
checkpoint.py  models as files; averaging.py: the mean of several
device.py      where tensors live; processes.py: several GPUs
"""
