package dev.keelson.registry.read;

import java.util.List;

/**
 * A watch from a revision before the history of its type: it ends at once, with the error of
 * kube-apiserver's cache.
 *
 * @param revision from which the client watches
 * @param oldest revision of the history
 */
record ExpiredWatch(long revision, long oldest) implements ObjectWatch {

  @Override
  public Batch poll(int most) {
    return new Batch(
        List.of(),
        revision,
        /* initialDone= */ true,
        /* more= */ false,
        ObjectWatch.expired(revision, oldest));
  }

  @Override
  public boolean lagged() {
    return false;
  }

  @Override
  public void close() {
    // holds nothing
  }
}
