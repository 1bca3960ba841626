package dev.keelson.server.tool;

import dev.keelson.config.option.StorageOptions;
import dev.keelson.storage.Snapshot;
import dev.keelson.storage.StorageException;
import dev.keelson.storage.sqlite.SqliteCheck;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Checks a store and prints what it finds. Damage is what a server cannot read; owners that do not
 * exist are told as warnings, since the garbage collector deletes what they leave.
 */
final class StoreCheck {

  /** Lines of one kind that are printed; the others are counted. */
  private static final int LINES = 100;

  private final Consumer<String> out;
  private final Progress progress;
  private final ObjectCheck objects = new ObjectCheck();
  private String store = "";
  private long keys;
  private long damaged;

  /**
   * @param out takes lines
   */
  StoreCheck(Consumer<String> out, Progress progress) {
    this.out = out;
    this.progress = progress;
  }

  /**
   * Runs all checks.
   *
   * @throws StorageException if the store cannot be opened or gives no answer
   * @throws StoppedException if the user has stopped the command
   */
  void run(StorageOptions options, InstantSource clock) {
    store = ToolStores.name(options);
    if (options instanceof StorageOptions.Sqlite sqlite) {
      List<String> found = SqliteCheck.problems(sqlite.file());
      found.forEach(this::damage);
      if (!found.isEmpty()) {
        // its keys cannot be trusted
        return;
      }
    }
    try (Snapshot snapshot = ToolStores.snapshot(options, clock)) {
      progress.begin("Checking", "objects", snapshot.count());
      for (List<Snapshot.Item> items = snapshot.next(); !items.isEmpty(); items = snapshot.next()) {
        items.forEach(item -> check(options.prefix(), item));
        keys += items.size();
        progress.add(items.size(), items.stream().mapToLong(Snapshot.Item::bytes).sum());
      }
    }
  }

  private void check(String root, Snapshot.Item item) {
    String fault = objects.check(root, item.entry());
    if (!fault.isEmpty()) {
      damage(item.entry().key().utf8() + ": " + fault);
    }
  }

  private void damage(String line) {
    damaged++;
    if (damaged <= LINES) {
      progress.end();
      out.accept("damaged: " + line);
    }
  }

  /** Prints the result; true if nothing is damaged. */
  boolean summarize() {
    List<String> dangling = objects.danglingOwners();
    dangling.stream().limit(LINES).forEach(line -> out.accept("warning: " + line));
    if (objects.encrypted() > 0) {
      out.accept(
          String.format(
              Locale.ROOT,
              "warning: %,d values are encrypted and were not decoded",
              objects.encrypted()));
    }
    out.accept(
        String.format(
            Locale.ROOT,
            "%s: %,d keys checked, %,d damaged, %,d dangling owners",
            store,
            keys,
            damaged,
            dangling.size()));
    return damaged == 0;
  }
}
