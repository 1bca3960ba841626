package dev.keelson.config;

import dev.keelson.config.flag.CommandWish;
import dev.keelson.config.flag.Flag;
import dev.keelson.config.flag.FlagException;
import dev.keelson.config.flag.FlagGroup;
import dev.keelson.config.flag.Settings;
import dev.keelson.config.flag.Values;
import dev.keelson.config.option.StorageOptions;
import dev.keelson.config.option.StorageOptions.MediaType;
import dev.keelson.config.option.StorageOptions.Monitoring;
import dev.keelson.config.option.StorageOptions.Synchronous;
import dev.keelson.config.option.ToolOptions;
import dev.keelson.config.option.ToolOptions.Tool;
import dev.keelson.config.source.CommandFlags;
import dev.keelson.config.source.HelpText;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The flags of a command that works on a store: {@code backup}, {@code restore}, {@code check} and
 * {@code copy}. Those that say which store have the names that they have for the server. Variables
 * of flags that only the server has are ignored.
 */
public final class ToolFlags {

  private enum Kind {
    ETCD,
    SQLITE
  }

  private static final Function<String, Kind> KINDS = Values.oneOf(List.of(Kind.values()));

  private static final String BUMP_HELP =
      "Revisions by which the written store begins above the newest one known, so that no"
          + " resourceVersion that a client has seen gets another meaning. By default 10000000 for"
          + " restore into SQLite, otherwise 1000: each costs a write in etcd.";

  private final Tool tool;
  private final CommandFlags flags = new CommandFlags();
  private final Flag<Path> dataDir;
  private final EtcdFlags etcd;
  private final @Nullable Flag<Boolean> overwrite;
  private final @Nullable Flag<@Nullable Long> bump;
  private final @Nullable Flag<@Nullable Kind> from;
  private final @Nullable Flag<@Nullable Kind> to;

  /** The flags of a command. */
  public ToolFlags(Tool tool) {
    this.tool = tool;
    FlagGroup store = flags.group("Store");
    dataDir =
        store.single(
            "data-dir",
            "DIR",
            "./data",
            "Directory of the server's state with its SQLite file, keelson.db.",
            Values::path);
    etcd = new EtcdFlags(store);
    if (tool == Tool.COPY) {
      FlagGroup copy = flags.group("Copy");
      from = copy.optional("from", "STORE", "Store to read: etcd or sqlite. Required.", KINDS);
      to = copy.optional("to", "STORE", "Store to write: etcd or sqlite. Required.", KINDS);
    } else {
      from = null;
      to = null;
    }
    boolean writes = tool != Tool.CHECK;
    overwrite =
        writes
            ? flags.group("Command").toggle("overwrite", /* defaultValue= */ false, overwriteHelp())
            : null;
    bump =
        writes && tool != Tool.BACKUP
            ? flags.last().optional("bump-revision", "COUNT", BUMP_HELP, ToolFlags::count)
            : null;
  }

  private String overwriteHelp() {
    return tool == Tool.BACKUP
        ? "Replace FILE if it exists."
        : "Replace a SQLite file that holds objects; it is kept beside the new one.";
  }

  private static long count(String text) {
    return Values.integer(0, Integer.MAX_VALUE).apply(text);
  }

  /** The flags by heading. */
  public List<FlagGroup> groups() {
    return flags.groups();
  }

  /**
   * Reads the command line and the environment.
   *
   * @param arguments the command line behind the name of the command
   * @throws FlagException naming the setting that is unknown, malformed or in conflict with another
   */
  public CommandWish<ToolOptions> read(List<String> arguments, Map<String, String> variables) {
    return flags.read(
        arguments,
        variables,
        tool == Tool.COPY ? 0 : 1,
        groups ->
            HelpText.ofCommand(
                tool.command() + " " + tool.operands(),
                purpose(),
                "--data-dir is KEELSON_DATA_DIR",
                groups),
        (settings, operands) ->
            options(settings, operands.isEmpty() ? null : Values.path(operands.getFirst())));
  }

  private String purpose() {
    return switch (tool) {
      case BACKUP -> "Copies the store at one revision into a SQLite file, while servers use it.";
      case RESTORE -> "Fills a store from a file of keelson backup; no server may use the store.";
      case CHECK -> "Checks a store: its file, its objects and their owners.";
      case COPY -> "Copies a store from etcd to SQLite or back; no server may use the two.";
    };
  }

  private ToolOptions options(Settings settings, @Nullable Path file) {
    if (file == null && (tool == Tool.BACKUP || tool == Tool.RESTORE)) {
      throw new FlagException("keelson " + tool.command() + " needs a FILE");
    }
    StorageOptions store = store(settings, null);
    Flag<Boolean> replaces = overwrite;
    return new ToolOptions(
        tool,
        file,
        switch (tool) {
          case BACKUP -> store;
          case RESTORE -> null;
          case CHECK -> file == null ? store : sqlite(settings, file);
          case COPY -> store(settings, required(settings, from, to));
        },
        switch (tool) {
          case BACKUP, CHECK -> null;
          case RESTORE -> store;
          case COPY -> store(settings, required(settings, to, from));
        },
        replaces != null && settings.value(replaces),
        bump == null ? null : settings.value(bump));
  }

  private static Kind required(
      Settings settings,
      @Nullable Flag<@Nullable Kind> flag,
      @Nullable Flag<@Nullable Kind> other) {
    if (flag == null || other == null) {
      throw new IllegalStateException("not a copy");
    }
    Kind kind = settings.value(flag);
    if (kind == null) {
      throw new FlagException(flag.dashed() + " is required");
    }
    if (kind == settings.value(other)) {
      throw new FlagException(
          flag.dashed() + " and " + other.dashed() + " must differ; see backup and restore");
    }
    return kind;
  }

  /** The store of that kind; for null the one that a server with these flags uses. */
  private StorageOptions store(Settings settings, @Nullable Kind kind) {
    List<URI> servers = settings.value(etcd.servers());
    if (kind == Kind.ETCD && servers.isEmpty()) {
      throw new FlagException(etcd.servers().dashed() + " is required");
    }
    if (kind == Kind.SQLITE || servers.isEmpty()) {
      return sqlite(settings, settings.value(dataDir).resolve("keelson.db"));
    }
    return new StorageOptions.Etcd(
        etcd.cluster(settings),
        etcd.overrides(settings),
        etcd.prefix(settings),
        Duration.ZERO,
        Duration.ZERO,
        MediaType.JSON,
        Monitoring.DEFAULTS);
  }

  private StorageOptions sqlite(Settings settings, Path file) {
    return new StorageOptions.Sqlite(
        file,
        Synchronous.FULL,
        etcd.prefix(settings),
        Duration.ZERO,
        Duration.ZERO,
        MediaType.JSON,
        Monitoring.DEFAULTS);
  }
}
