package dev.keelson.server.tool;

import dev.keelson.config.option.StorageOptions;
import dev.keelson.config.option.ToolOptions;
import dev.keelson.server.lifecycle.HangUp;
import dev.keelson.server.standalone.ComponentLog;
import dev.keelson.storage.Snapshot;
import dev.keelson.storage.StorageException;
import java.io.Console;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** Runs a command that works on a store. */
public final class StoreTool {

  private static final int DONE = 0;
  private static final int FAILED = 1;

  /** A check has found damage. */
  private static final int DAMAGED = 2;

  /** As shells report a process that SIGINT has ended. */
  private static final int STOPPED = 130;

  /** What {@code restore} adds to a SQLite file's revision, which costs nothing. */
  private static final long RESTORE_BUMP = 10_000_000;

  private static final long BUMP = 1000;

  private final ToolOptions options;
  private final InstantSource clock;
  private final Progress progress;

  private StoreTool(ToolOptions options, InstantSource clock, Progress progress) {
    this.options = options;
    this.clock = clock;
    this.progress = progress;
  }

  /**
   * Runs the command until it is done, fails or is stopped by SIGINT or SIGTERM.
   *
   * @return the exit code: 0 done, 1 failed, 2 a check has found damage, 130 stopped
   */
  public static int run(ToolOptions options) {
    ComponentLog.configure(/* verbosity= */ 0);
    AtomicBoolean stopped = new AtomicBoolean();
    HangUp.handleEnd(() -> stopped.set(true));
    // null without a terminal, depending on the JDK's console provider
    boolean terminal =
        Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
    Progress progress = new Progress(System.err, terminal, System::nanoTime, stopped::get);
    return new StoreTool(options, InstantSource.system(), progress).run();
  }

  private int run() {
    try {
      int code =
          switch (options.tool()) {
            case BACKUP -> backup();
            case RESTORE -> restore();
            case COPY -> copy();
            case CHECK -> check();
          };
      progress.end();
      return code;
    } catch (StoppedException e) {
      progress.end();
      System.err.println("keelson: stopped; the store is unchanged, run the command again");
      return STOPPED;
    } catch (StorageException | ToolException e) {
      progress.end();
      System.err.println("keelson: " + e.getMessage());
      return FAILED;
    }
  }

  private int backup() {
    Path file = Objects.requireNonNull(options.file());
    if (Files.exists(file) && !options.overwrite()) {
      throw new ToolException(file + " exists; give another name, or --overwrite to replace it");
    }
    StorageOptions store = Objects.requireNonNull(options.from());
    if (ToolStores.isStore(file, store)) {
      throw new ToolException(file + " is the store itself; give another name");
    }
    try (Snapshot from = ToolStores.snapshot(store, clock);
        Target to = ToolStores.image(file)) {
      Transfer.Copied copied = Transfer.run(from, to.target(), 0, progress);
      report("Backed up", copied, ToolStores.name(store), file.toString());
      sayWhatIsLeftOut(store);
    }
    return DONE;
  }

  private int restore() {
    Path file = Objects.requireNonNull(options.file());
    StorageOptions store = Objects.requireNonNull(options.to());
    try (Snapshot from = ToolStores.snapshot(file)) {
      fill("Restored", from, file.toString(), store);
    }
    return DONE;
  }

  private int copy() {
    StorageOptions source = Objects.requireNonNull(options.from());
    try (Snapshot from = ToolStores.snapshot(source, clock)) {
      fill("Copied", from, ToolStores.name(source), Objects.requireNonNull(options.to()));
      sayWhatIsLeftOut(source);
    }
    return DONE;
  }

  private void fill(String done, Snapshot from, String source, StorageOptions store) {
    try (Target to = ToolStores.target(store, clock)) {
      if (to.keys() > 0 && !(options.overwrite() && to.replaceable())) {
        throw new ToolException(refusal(store, to));
      }
      Long given = options.bump();
      boolean free = options.tool() == ToolOptions.Tool.RESTORE && to.replaceable();
      long bump = given != null ? given : free ? RESTORE_BUMP : BUMP;
      long least = Math.max(from.revision(), to.revision()) + bump;
      Transfer.Copied copied = Transfer.run(from, to.target(), least, progress);
      report(done, copied, source, ToolStores.name(store));
      sayWhatIsLeftOut(store);
      if (to.keys() > 0) {
        System.out.println("The store that was replaced is kept as " + to.kept());
      }
    }
  }

  private static String refusal(StorageOptions store, Target to) {
    String holds =
        String.format(Locale.ROOT, "%s holds %,d keys", ToolStores.name(store), to.keys());
    return to.replaceable()
        ? holds + "; give --overwrite to replace it, it is then kept beside the new one"
        : holds + " under its prefix; empty it, or name another --etcd-prefix";
  }

  private int check() {
    StoreCheck check = new StoreCheck(System.out::println, progress);
    StorageOptions store = Objects.requireNonNull(options.from());
    check.run(store, clock);
    progress.end();
    sayWhatIsLeftOut(store);
    return check.summarize() ? DONE : DAMAGED;
  }

  /** Says which resources a store of overrides has, which no command follows. */
  private static void sayWhatIsLeftOut(StorageOptions store) {
    if (store instanceof StorageOptions.Etcd etcd) {
      etcd.overrides()
          .forEach(
              override ->
                  System.out.printf(
                      "Not covered: %s/%s in etcd at %s; run the command with it as --etcd-servers%n",
                      override.group(),
                      override.resource(),
                      override.cluster().servers().getFirst()));
    }
  }

  private void report(String done, Transfer.Copied copied, String from, String to) {
    progress.end();
    System.out.printf(
        Locale.ROOT,
        "%s %,d objects (%,d bytes) from %s to %s at revision %d%n",
        done,
        copied.keys(),
        copied.bytes(),
        from,
        to,
        copied.revision());
  }
}
