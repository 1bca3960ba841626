package dev.keelson.server.tool;

import dev.keelson.storage.Snapshot;
import dev.keelson.storage.SnapshotTarget;
import java.util.List;

/** Copies a snapshot into a target. */
final class Transfer {

  /**
   * What was copied.
   *
   * @param keys how many keys
   * @param bytes of keys and values
   * @param revision the revision of the written store
   */
  record Copied(long keys, long bytes, long revision) {}

  private Transfer() {}

  /**
   * Copies everything.
   *
   * @param least the least revision of the written store; that of the snapshot is one anyway
   * @throws StoppedException if the user has stopped the command
   * @throws dev.keelson.storage.StorageException of either store
   */
  static Copied run(Snapshot from, SnapshotTarget to, long least, Progress progress) {
    long[] reached = {0};
    long lowest = Math.max(least, from.revision());
    to.begin(
        lowest,
        revision -> {
          if (reached[0] == 0) {
            progress.begin("Raising etcd's revision", "revisions", lowest - revision);
          } else {
            progress.add(revision - reached[0], 0);
          }
          reached[0] = revision;
        });
    progress.begin("Copying", "objects", from.count());
    long keys = 0;
    long bytes = 0;
    for (List<Snapshot.Item> items = from.next(); !items.isEmpty(); items = from.next()) {
      keys += to.write(items);
      long size = items.stream().mapToLong(Snapshot.Item::bytes).sum();
      bytes += size;
      progress.add(items.size(), size);
    }
    if (keys == 0 && from.count() > 0) {
      throw new ToolException("no key is below the given --etcd-prefix");
    }
    long revision = to.complete();
    return new Copied(keys, bytes, revision);
  }
}
